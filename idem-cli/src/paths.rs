//! Paths as they are opened and as they are shown.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Component, Path, PathBuf};

/// `path` seen from `cwd` (absolute, without links), without `.` steps. A `..` behind a name is left
/// to the file system, since the name may be a link.
pub(crate) fn absolute(cwd: &Path, path: &Path) -> PathBuf {
    let mut out = if path.is_absolute() {
        PathBuf::new()
    } else {
        cwd.to_path_buf()
    };
    let mut named = false;
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if !named => {
                out.pop();
            }
            Component::ParentDir | Component::Normal(_) => {
                named = true;
                out.push(component);
            }
            Component::RootDir | Component::Prefix(_) => out.push(component),
        }
    }
    out
}

/// `path` (absolute) as it is shown: relative to `cwd`, with forward slashes on every system.
/// A path that shares nothing but the root with `cwd` is shown whole.
pub(crate) fn shown(cwd: &Path, path: &Path) -> String {
    let mut here = cwd.components().peekable();
    let mut there = path.components().peekable();
    let mut shared = 0_usize;
    while let (Some(left), Some(right)) = (here.peek(), there.peek()) {
        if left != right {
            break;
        }
        shared += usize::from(matches!(left, Component::Normal(_)));
        here.next();
        there.next();
    }
    let up = here.count();
    if up > 0 && shared == 0 {
        return path.to_string_lossy().replace('\\', "/");
    }
    let mut out = "../".repeat(up);
    for component in there {
        if !out.is_empty() && !out.ends_with('/') {
            out.push('/');
        }
        out.push_str(&component.as_os_str().to_string_lossy());
    }
    if out.is_empty() { ".".to_owned() } else { out }
}

/// Writes a file where there is none, and makes its folder; whether there was none.
pub(crate) fn create(path: &Path, content: &[u8]) -> io::Result<bool> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    match File::create_new(path) {
        Ok(mut file) => file.write_all(content).map(|()| true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
    }
}

/// Writes a file whole or not at all, over one that is there; makes its folder.
pub(crate) fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut name = OsString::from(path);
    name.push(".new");
    let draft = PathBuf::from(name);
    let written = fs::write(&draft, content)
        .and_then(|()| match fs::metadata(path) {
            Ok(before) => fs::set_permissions(&draft, before.permissions()),
            Err(_) => Ok(()),
        })
        .and_then(|()| fs::rename(&draft, path));
    if written.is_err() {
        // The draft is of no use to anybody; that it could not be removed is not the news.
        let _ = fs::remove_file(&draft);
    }
    written
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{absolute, shown};

    #[test]
    fn a_path_below_the_working_directory_is_shown_from_there() {
        let cwd = Path::new("/srv/shop");
        assert_eq!(
            shown(cwd, Path::new("/srv/shop/contracts/a.toml")),
            "contracts/a.toml"
        );
        assert_eq!(shown(cwd, Path::new("/srv/shop")), ".");
        assert_eq!(shown(cwd, Path::new("/srv/desk/a.toml")), "../desk/a.toml");
        assert_eq!(shown(cwd, Path::new("/tmp/a.toml")), "/tmp/a.toml");
    }

    #[test]
    fn two_ways_to_write_one_path_are_one_path() {
        let cwd = Path::new("/srv/shop");
        let plain = absolute(cwd, Path::new("contracts/a.toml"));
        assert_eq!(absolute(cwd, Path::new("./contracts/./a.toml")), plain);
        assert_eq!(absolute(cwd, Path::new("../shop/contracts/a.toml")), plain);
        assert_eq!(
            absolute(cwd, Path::new("/srv/shop/contracts/a.toml")),
            plain
        );
    }
}
