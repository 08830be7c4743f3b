//! The `idem` command, as a library.
