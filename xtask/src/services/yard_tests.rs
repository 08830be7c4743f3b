//! Real servers, started and stopped. Without an installed server there is nothing to start, and
//! the test says so; in CI that is a failure.

use std::error::Error;
use std::os::unix::fs::PermissionsExt;

use super::super::{ALL, Durability, Service};
use super::{State, Yard};

type Outcome = Result<(), Box<dyn Error>>;

/// Runs `test` for every service whose programs are installed.
fn for_each_installed(test: impl Fn(&'static dyn Service) -> Outcome) -> Outcome {
    for service in ALL {
        let programs = super::install::find(*service);
        match programs {
            Ok(_) => test(*service)?,
            Err(program) if crate::workspace::in_ci() => {
                return Err(format!("{}: {program} is missing", service.name()).into());
            }
            Err(program) => println!("not run: {} ({program} is missing)", service.name()),
        }
    }
    Ok(())
}

#[test]
fn two_clones_side_by_side_have_servers_of_their_own_and_the_last_user_stops_each() -> Outcome {
    for_each_installed(|service| {
        let (one, other) = (tempfile::tempdir()?, tempfile::tempdir()?);
        let one = Yard::of(one.path(), Durability::Throwaway);
        let other = Yard::of(other.path(), Durability::Throwaway);
        let first = one.start_private(service)?;
        let elsewhere = other.start_private(service)?;
        assert_ne!(first.url(), elsewhere.url());

        let second = one.start_private(service)?;
        assert_eq!(first.url(), second.url(), "a running server is shared");
        drop(first);
        assert!(
            one.status(service).starts_with("running"),
            "somebody still uses it"
        );
        drop(second);
        assert_eq!(one.status(service), "not running");
        assert!(!one.folder.join(service.name()).join("data").exists());
        drop(elsewhere);
        assert_eq!(other.status(service), "not running");
        Ok(())
    })
}

#[test]
fn a_server_that_a_person_keeps_outlives_its_users_until_it_is_stopped() -> Outcome {
    for_each_installed(|service| {
        let clone = tempfile::tempdir()?;
        let yard = Yard::of(clone.path(), Durability::Throwaway);
        yard.start_private(service)?.keep()?;
        drop(yard.start_private(service)?);
        assert!(yard.status(service).starts_with("running"));
        assert!(yard.stop(service)?);
        assert!(!yard.stop(service)?, "it is gone");
        Ok(())
    })
}

#[test]
fn a_clone_that_the_servers_account_cannot_enter_keeps_its_data_elsewhere() -> Outcome {
    for_each_installed(|service| {
        let clone = tempfile::tempdir()?;
        std::fs::set_permissions(clone.path(), std::fs::Permissions::from_mode(0o700))?;
        let yard = Yard::of(clone.path(), Durability::Throwaway);
        let server = yard.start_private(service)?;
        let state =
            State::read(&yard.folder.join(service.name()).join("state")).ok_or("no state")?;
        let outside = !state.data.starts_with(clone.path());
        assert_eq!(
            outside,
            super::account::is_root() && service.account().is_some()
        );
        drop(server);
        assert!(!state.data.exists(), "its data is removed wherever it lay");
        Ok(())
    })
}

#[test]
fn a_server_that_was_killed_is_replaced() -> Outcome {
    for_each_installed(|service| {
        let clone = tempfile::tempdir()?;
        let yard = Yard::of(clone.path(), Durability::Throwaway);
        let mut server = yard.start_private(service)?;
        let file = yard.folder.join(service.name()).join("state");
        let before = State::read(&file).ok_or("no state")?;
        crate::child::signal("KILL", &before.pid.to_string());
        if let Some(child) = server.ours.as_mut().and_then(|ours| ours.child.as_mut()) {
            child.wait()?;
        }
        assert!(yard.status(service).starts_with("died"));
        let next = yard.start_private(service)?;
        assert_ne!(server.url(), next.url());
        Ok(())
    })
}
