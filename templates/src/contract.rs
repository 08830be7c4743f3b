//! A contract to begin with.

/// What `idem new` fills in: a TOML file as it stands. Lines that begin with `#%` are statements of
/// minijinja; a line that begins with `#=` is one without its comment sign once it is filled in.
pub const NEW: &str = include_str!("../contract/new.toml");
