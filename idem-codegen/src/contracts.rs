//! The one door to the file system: contracts, read once a process.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::SystemTime;

use idem_contract::{
    Contract, Diagnostic, Group, LineIndex, LintOptions, Severity, is_silenced, lint, rules,
};
use sha2::{Digest as _, Sha256};

/// Where contracts are looked for.
///
/// `contracts/<name>.toml` is looked up in the start folder and in each folder above it, up to the
/// repository's root (the folder that holds `.git`).
#[derive(Clone, Debug)]
pub struct Contracts {
    manifest: PathBuf,
    source: Option<PathBuf>,
}

impl Contracts {
    /// Contracts of the package in this folder.
    #[must_use]
    pub fn in_dir(manifest_dir: impl Into<PathBuf>) -> Self {
        Self {
            manifest: manifest_dir.into(),
            source: None,
        }
    }

    /// Looks from the source file's own folder, too, when the package's folders have no such
    /// contract: a source file need not lie below its package.
    #[must_use]
    pub fn or_beside(mut self, source_file: Option<PathBuf>) -> Self {
        self.source = source_file.and_then(|file| file.parent().map(Path::to_path_buf));
        self
    }

    /// The contract of that name, or the text of what is wrong with it.
    pub(crate) fn load(&self, name: &str) -> Result<Arc<Loaded>, Trouble> {
        let plain = !name.is_empty()
            && name
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
        if !plain {
            return Err(Trouble::NotAName);
        }
        let mut searched = Vec::new();
        let starts = std::iter::once(&self.manifest).chain(&self.source);
        for folder in starts.flat_map(|start| upward(start)) {
            let path = folder.join("contracts").join(name).with_extension("toml");
            if path.is_file() {
                return cached(&path, &self.manifest)
                    .map_err(|error| Trouble::Unreadable { path, error });
            }
            if !searched.contains(&folder) {
                searched.push(folder);
            }
        }
        Err(Trouble::Missing {
            near: self.near(name),
            searched,
        })
    }

    fn near(&self, name: &str) -> Option<String> {
        let files = upward(&self.manifest)
            .filter_map(|folder| fs::read_dir(folder.join("contracts")).ok())
            .flatten()
            .filter_map(Result::ok);
        let names: Vec<String> = files
            .map(|file| file.path())
            .filter(|path| {
                path.extension()
                    .is_some_and(|extension| extension == "toml")
            })
            .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
            .collect();
        crate::near::near(name, names.iter().map(String::as_str)).map(str::to_owned)
    }
}

/// The folder and those above it, up to the repository's root.
fn upward(start: &Path) -> impl Iterator<Item = PathBuf> {
    let mut next = Some(start.to_path_buf());
    std::iter::from_fn(move || {
        let folder = next.take()?;
        if !folder.join(".git").exists() {
            next = folder.parent().map(Path::to_path_buf);
        }
        Some(folder)
    })
}

/// Why a contract cannot be used.
#[derive(Debug)]
pub(crate) enum Trouble {
    NotAName,
    Missing {
        searched: Vec<PathBuf>,
        near: Option<String>,
    },
    Unreadable {
        path: PathBuf,
        error: std::io::Error,
    },
}

/// A contract that was read.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) contract: Contract,
    /// The file, as an expansion may name it.
    pub(crate) include: Include,
    /// SHA-256 of the text.
    pub(crate) digest: [u8; 32],
    /// What keeps the attribute from using it, in the file's order.
    pub(crate) errors: Vec<Finding>,
    /// `contracts/refund-order.toml`.
    pub(crate) shown: String,
}

/// How an expansion names the file.
#[derive(Clone, Debug)]
pub(crate) enum Include {
    /// Below the package: relative to `CARGO_MANIFEST_DIR`, so that the text is the same everywhere.
    InPackage(String),
    /// Anywhere else.
    Absolute(String),
}

/// One finding in the contract.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub(crate) rule: &'static str,
    pub(crate) group: Group,
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) message: String,
}

/// A file's time of change and length: when they differ, it is read again.
type Stamp = (Option<SystemTime>, u64);

/// By contract and package: two packages of one process name a file differently.
type Cache = HashMap<(PathBuf, PathBuf), (Stamp, Arc<Loaded>)>;

static CACHE: LazyLock<Mutex<Cache>> = LazyLock::new(Mutex::default);

fn cached(path: &Path, manifest: &Path) -> std::io::Result<Arc<Loaded>> {
    let metadata = fs::metadata(path)?;
    let stamp = (metadata.modified().ok(), metadata.len());
    let key = (path.to_path_buf(), manifest.to_path_buf());
    let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((known, loaded)) = cache.get(&key)
        && *known == stamp
    {
        return Ok(Arc::clone(loaded));
    }
    let loaded = Arc::new(read(path, manifest)?);
    cache.insert(key, (stamp, Arc::clone(&loaded)));
    Ok(loaded)
}

fn read(path: &Path, manifest: &Path) -> std::io::Result<Loaded> {
    let source = fs::read(path)?;
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    let linted = lint(
        &source,
        &LintOptions {
            file_stem: stem,
            today: NEVER_EXPIRED,
        },
    );
    let mut found = linted.diagnostics;
    found.retain(|found| found.severity == Severity::Error);
    let errors = if found.is_empty() {
        Vec::new()
    } else {
        let lines = LineIndex::new(&source);
        let concerning = found
            .into_iter()
            .filter_map(|found| Finding::of(found, &lines));
        concerning.collect()
    };
    Ok(Loaded {
        contract: linted.contract,
        include: Include::of(path, manifest),
        digest: Sha256::digest(&source).into(),
        errors,
        shown: format!("contracts/{}.toml", stem.unwrap_or_default()),
    })
}

/// A build must not fail because a day has passed: an `[[allow]]` that is over is the linter's to
/// report.
const NEVER_EXPIRED: i32 = i32::MIN;

/// Whether an `[[allow]]` of the contract silences a finding in the attribute.
pub(crate) fn is_allowed(contract: &Contract, finding: &Diagnostic) -> bool {
    // Its span counts tokens, and must not be taken for bytes of the file.
    let finding = Diagnostic {
        span: idem_contract::Span::new(usize::MAX, usize::MAX),
        ..finding.clone()
    };
    is_silenced(contract, NEVER_EXPIRED, &finding)
}

impl Finding {
    /// What concerns the attribute: format and key, which an expansion is made from, and what a
    /// claim cannot do without. The rest is the linter's to report.
    fn of(found: Diagnostic, lines: &LineIndex<'_>) -> Option<Self> {
        const NEEDED: &[&str] = &[
            "missing-lease",
            "missing-window",
            "unbounded-attempts",
            "missing-request-hash",
        ];
        let group = rules::find(found.rule)?.group;
        if group != Group::Format && group != Group::Key && !NEEDED.contains(&found.rule) {
            return None;
        }
        let position = lines.position(found.span.start);
        Some(Self {
            rule: found.rule,
            group,
            line: position.line,
            column: position.column,
            message: found.message,
        })
    }
}

impl Include {
    fn of(path: &Path, manifest: &Path) -> Self {
        match path.strip_prefix(manifest).ok().and_then(Path::to_str) {
            Some(relative) => Self::InPackage(format!("/{}", relative.replace('\\', "/"))),
            None => Self::Absolute(path.to_string_lossy().into_owned()),
        }
    }
}
