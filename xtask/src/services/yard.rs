//! The servers of one clone: started once, shared, stopped by whoever leaves last.

use std::fs::{File, TryLockError};
use std::hash::{BuildHasher, Hasher};
use std::net::TcpListener;
use std::os::unix::fs::symlink;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::account::{self, Account};
use super::state::State;
use super::{Durability, Place, Service, install};
use crate::child;
use crate::problem::{During, Problem, Result};

/// A cold disk and two busy cores start PostgreSQL in ten seconds at worst.
const START_LIMIT: Duration = Duration::from_secs(60);
/// A polite stop takes well under a second; after this the second signal goes out.
const STOP_LIMIT: Duration = Duration::from_secs(20);
/// A port that was free may be taken by the time the server binds it.
const START_TRIES: u32 = 5;

/// The folder that holds the servers of one clone.
#[derive(Clone, Debug)]
pub(super) struct Yard {
    folder: PathBuf,
    durability: Durability,
}

impl Yard {
    /// The yard of the clone at `root`. It lies in the clone even when cargo builds elsewhere: two
    /// clones may share a build folder, and must not share a server.
    pub(super) fn of(root: &Path, durability: Durability) -> Self {
        let folder = root.join("target").join("services");
        let folder = match durability {
            Durability::Throwaway => folder,
            Durability::Durable => folder.join("durable"),
        };
        Self { folder, durability }
    }

    /// A server that answers: the one the environment names, the one already running, or a new one.
    pub(super) fn start(&self, service: &'static dyn Service) -> Result<Server> {
        match service.named_by_environment() {
            Some(url) => Ok(Server {
                service,
                url,
                ours: None,
            }),
            None => self.start_private(service),
        }
    }

    fn start_private(&self, service: &'static dyn Service) -> Result<Server> {
        let folder = self.folder.join(service.name());
        std::fs::create_dir_all(&folder).during(format_args!("creating {}", folder.display()))?;
        let _one_at_a_time = lock(&folder.join("lock"))?;
        let users = open(&folder.join("users"))?;
        users
            .lock_shared()
            .during("joining the users of the server")?;
        let file = folder.join("state");
        if let Some(state) = State::read(&file).filter(State::is_alive) {
            return Ok(Server {
                service,
                url: state.url,
                ours: Some(Ours {
                    yard: self.clone(),
                    users,
                    child: None,
                }),
            });
        }
        self.clear(service, &folder)?;
        let programs = install::programs(service)?;
        let account = service
            .account()
            .map(Account::for_root)
            .transpose()?
            .flatten();
        let mut last = Problem::new("not tried");
        for _ in 0..START_TRIES {
            let place = self.place(service, &folder, programs.clone(), account.clone())?;
            match launch(service, &place, &folder.join("log")) {
                Ok(child) => {
                    let url = service.url(&place);
                    let state = State {
                        pid: child.id(),
                        url: url.clone(),
                        data: place.data,
                        kept: false,
                    };
                    state.write(&file)?;
                    let ours = Ours {
                        yard: self.clone(),
                        users,
                        child: Some(child),
                    };
                    return Ok(Server {
                        service,
                        url,
                        ours: Some(ours),
                    });
                }
                Err(problem) => last = problem,
            }
            self.clear(service, &folder)?;
        }
        Err(last)
    }

    /// Stops the server whoever uses it; whether there was one.
    pub(super) fn stop(&self, service: &dyn Service) -> Result<bool> {
        let folder = self.folder.join(service.name());
        if !folder.exists() {
            return Ok(false);
        }
        let _one_at_a_time = lock(&folder.join("lock"))?;
        self.clear(service, &folder)
    }

    /// One line for a person.
    pub(super) fn status(&self, service: &dyn Service) -> String {
        match State::read(&self.folder.join(service.name()).join("state")) {
            Some(state) if state.is_alive() => format!("running at {}", state.url),
            Some(_) => "died; the next start cleans up".to_owned(),
            None => "not running".to_owned(),
        }
    }

    /// Ends the server that the state file names, if it lives, and removes what it left; whether it
    /// lived. The caller holds the lock.
    fn clear(&self, service: &dyn Service, folder: &Path) -> Result<bool> {
        let file = folder.join("state");
        let state = State::read(&file);
        let lived = state.as_ref().is_some_and(State::is_alive);
        if let Some(state) = state.filter(|_| lived) {
            end(service, &state)?;
        }
        let data = folder.join("data");
        if let Ok(elsewhere) = std::fs::read_link(&data) {
            remove(&elsewhere)?;
            std::fs::remove_file(&data).during(format_args!("removing {}", data.display()))?;
        } else {
            remove(&data)?;
        }
        if file.exists() {
            std::fs::remove_file(&file).during(format_args!("removing {}", file.display()))?;
        }
        Ok(lived)
    }

    fn place(
        &self,
        service: &dyn Service,
        folder: &Path,
        programs: Vec<(&'static str, PathBuf)>,
        account: Option<Account>,
    ) -> Result<Place> {
        let port = TcpListener::bind(("127.0.0.1", 0))
            .and_then(|listener| listener.local_addr())
            .during("looking for a free port")?
            .port();
        let data = data_folder(service, folder, account.as_ref())?;
        let password = random_word();
        Ok(Place {
            programs,
            data,
            port,
            password,
            durability: self.durability,
            account,
        })
    }
}

/// `<folder>/data`, or where the account cannot reach it (a clone below `/root`), a link of that
/// name to a folder that it can.
fn data_folder(service: &dyn Service, folder: &Path, account: Option<&Account>) -> Result<PathBuf> {
    let inside = folder.join("data");
    std::fs::create_dir(&inside).during(format_args!("creating {}", inside.display()))?;
    account::make_private(&inside, account)?;
    let Some(account) = account.filter(|account| !account.reaches(&inside)) else {
        return Ok(inside);
    };
    remove(&inside)?;
    for shared in [std::env::temp_dir(), "/tmp".into(), "/var/tmp".into()] {
        let outside = shared.join(format!("idem-{}-{}", service.name(), random_word()));
        if std::fs::create_dir(&outside).is_err() {
            continue;
        }
        account::make_private(&outside, Some(account))?;
        if account.reaches(&outside) {
            symlink(&outside, &inside).during(format_args!("linking {}", inside.display()))?;
            return Ok(outside);
        }
        remove(&outside)?;
    }
    Err(Problem::new(format!(
        "{}: its account can write neither below {} nor into the temporary folders; clone the \
         project where other accounts can read, or set {}",
        service.name(),
        folder.display(),
        service.variable()
    )))
}

/// Starts the server and waits until it answers.
fn launch(service: &dyn Service, place: &Place, log: &Path) -> Result<Child> {
    service.initialise(place)?;
    let output = File::create(log).during(format_args!("creating {}", log.display()))?;
    let errors = output.try_clone().during("sharing the server's log")?;
    let mut child = service
        .server(place)
        .stdin(Stdio::null())
        .stdout(output)
        .stderr(errors)
        // Ctrl-C is for the chore, which then stops the server in order.
        .process_group(0)
        .spawn()
        .during(format_args!("starting {}", service.name()))?;
    let begun = Instant::now();
    while begun.elapsed() < START_LIMIT {
        if let Some(status) = child.try_wait().during("waiting for the server")? {
            let said = std::fs::read_to_string(log).unwrap_or_default();
            return Err(Problem::new(format!(
                "{} ended at once ({status}): {}",
                service.name(),
                said.trim()
            )));
        }
        if service.is_ready(place) {
            return Ok(child);
        }
        thread::sleep(Duration::from_millis(50));
    }
    child
        .kill()
        .during("ending a server that does not answer")?;
    child
        .wait()
        .during("ending a server that does not answer")?;
    Err(Problem::new(format!(
        "{} did not answer within {} s; its log is {}",
        service.name(),
        START_LIMIT.as_secs(),
        log.display()
    )))
}

/// Ends a living server and waits until it is gone.
fn end(service: &dyn Service, state: &State) -> Result<()> {
    for word in service.stop_signals() {
        child::signal(word, &state.pid.to_string());
        let begun = Instant::now();
        while begun.elapsed() < STOP_LIMIT {
            // A child of this process that ended, but was not waited for, has no command line any
            // more and counts as gone.
            if !state.is_alive() {
                return Ok(());
            }
            thread::sleep(Duration::from_millis(20));
        }
    }
    Err(Problem::new(format!(
        "{} (process {}) does not stop",
        service.name(),
        state.pid
    )))
}

/// A server in use. Dropped, it is stopped when this process started it and nobody else uses it.
pub(crate) struct Server {
    service: &'static dyn Service,
    url: String,
    ours: Option<Ours>,
}

/// What this process holds of a private server.
struct Ours {
    yard: Yard,
    /// Locked shared by every user.
    users: File,
    child: Option<Child>,
}

impl Server {
    /// The environment variable that hands over the URL.
    pub(crate) fn variable(&self) -> &'static str {
        self.service.variable()
    }

    /// What a client connects to.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Leaves the server running until a person stops it.
    pub(crate) fn keep(mut self) -> Result<()> {
        let Some(ours) = self.ours.take() else {
            return Ok(());
        };
        let file = ours.yard.folder.join(self.service.name()).join("state");
        match State::read(&file) {
            Some(state) => State {
                kept: true,
                ..state
            }
            .write(&file),
            None => Err(Problem::new(format!(
                "{} was stopped meanwhile",
                self.service.name()
            ))),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let Some(mut ours) = self.ours.take() else {
            return;
        };
        let stopped = leave(self.service, &ours);
        if let Some(child) = ours.child.as_mut() {
            // Collects the process when it was ended; one that lives on is nobody's child soon.
            let _lives_on = child.try_wait();
        }
        if let Err(problem) = stopped {
            eprintln!("xtask: {problem}");
        }
    }
}

fn leave(service: &dyn Service, ours: &Ours) -> Result<()> {
    let folder = ours.yard.folder.join(service.name());
    let _one_at_a_time = lock(&folder.join("lock"))?;
    ours.users
        .unlock()
        .during("leaving the users of the server")?;
    match ours.users.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(()),
        Err(TryLockError::Error(error)) => return Err(error).during("asking who uses the server"),
    }
    match State::read(&folder.join("state")) {
        Some(state) if !state.kept => ours.yard.clear(service, &folder).map(|_| ()),
        _ => Ok(()),
    }
}

fn open(path: &Path) -> Result<File> {
    File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
        .during(format_args!("opening {}", path.display()))
}

fn lock(path: &Path) -> Result<File> {
    let file = open(path)?;
    file.lock()
        .during(format_args!("locking {}", path.display()))?;
    Ok(file)
}

fn remove(folder: &Path) -> Result<()> {
    if folder.exists() {
        std::fs::remove_dir_all(folder).during(format_args!("removing {}", folder.display()))?;
    }
    Ok(())
}

/// 16 hexadecimal digits from the seed that the system gave the standard hasher.
fn random_word() -> String {
    format!(
        "{:016x}",
        std::hash::RandomState::new().build_hasher().finish()
    )
}

#[cfg(test)]
#[path = "yard_tests.rs"]
mod tests;
