//! Finds a service's programs, and installs them where that is possible.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::Service;
use super::account::is_root;
use crate::problem::{During, Problem, Result};

/// The path of each of the service's programs; installs the Debian package when one is missing.
pub(super) fn programs(service: &dyn Service) -> Result<Vec<(&'static str, PathBuf)>> {
    if let Ok(found) = find(service) {
        return Ok(found);
    }
    if !is_root() || which(Path::new("apt-get"), &path_folders()).is_none() {
        return Err(Problem::new(advice(service)));
    }
    eprintln!("xtask: installing from Debian: {}", service.package());
    for (file, text) in service.before_install() {
        leave_file(Path::new(file), text)?;
    }
    apt_get(&["update"])?;
    let mut install = vec!["install", "--yes", "--no-install-recommends"];
    install.extend(service.package().split(' '));
    apt_get(&install)?;
    find(service).map_err(|program| {
        Problem::new(format!(
            "{}: {} is installed, but {program} is in none of the known folders; {}",
            service.name(),
            service.package(),
            advice(service)
        ))
    })
}

/// All programs, or the name of the first that is missing. They come from one folder where one has
/// them all: programs of two versions do not work together. Otherwise each may lie anywhere.
pub(super) fn find(
    service: &dyn Service,
) -> std::result::Result<Vec<(&'static str, PathBuf)>, &'static str> {
    let in_folders = |folders: &[PathBuf]| {
        service
            .programs()
            .iter()
            .map(|program| {
                which(Path::new(program), folders)
                    .map(|path| (*program, path))
                    .ok_or(*program)
            })
            .collect::<std::result::Result<Vec<_>, _>>()
    };
    service
        .folders()
        .into_iter()
        .find_map(|folder| in_folders(&[folder]).ok())
        .map_or_else(
            || in_folders(&[path_folders(), service.folders()].concat()),
            Ok,
        )
}

fn path_folders() -> Vec<PathBuf> {
    std::env::var_os("PATH").map_or_else(Vec::new, |path| std::env::split_paths(&path).collect())
}

fn which(program: &Path, folders: &[PathBuf]) -> Option<PathBuf> {
    folders
        .iter()
        .map(|folder| folder.join(program))
        .find(|path| path.is_file())
}

fn advice(service: &dyn Service) -> String {
    format!(
        "{} is not installed: install it (on Debian: apt-get install {}), or set {} to the URL of a \
         server that tests may write to",
        service.name(),
        service.package(),
        service.variable()
    )
}

/// Writes `text` unless the file is there: what a person configured stays.
fn leave_file(path: &Path, text: &str) -> Result<()> {
    if path.exists() {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).during(format_args!("creating {}", folder.display()))?;
    }
    std::fs::write(path, text).during(format_args!("writing {}", path.display()))
}

fn apt_get(words: &[&str]) -> Result<()> {
    let output = Command::new("apt-get")
        .args([
            "--quiet",
            "-o",
            "Dpkg::Options::=--force-confold",
            "-o",
            "DPkg::Lock::Timeout=300",
        ])
        .args(words)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .stdin(Stdio::null())
        .output()
        .during("starting apt-get")?;
    if output.status.success() {
        return Ok(());
    }
    Err(Problem::new(format!(
        "apt-get {} failed: {}",
        words.join(" "),
        String::from_utf8_lossy(&output.stderr).trim()
    )))
}

#[cfg(test)]
mod tests {
    use super::super::ALL;
    use super::advice;

    #[test]
    fn advice_names_the_package_and_the_variable() {
        for service in ALL {
            let advice = advice(*service);
            assert!(advice.contains(service.package()) && advice.contains(service.variable()));
        }
    }
}
