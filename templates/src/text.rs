//! The files a project starts with.

/// `idem.toml`; `{{ database }}` is `sqlite` or `postgres`.
pub const IDEM_TOML: &str = include_str!("../text/idem.toml");

/// `.pre-commit-config.yaml`, whole.
pub const PRE_COMMIT: &str = include_str!("../text/pre-commit.yaml");
