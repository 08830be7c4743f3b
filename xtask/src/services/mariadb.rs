//! MariaDB, as Debian packages it or from `PATH`.

use std::io::Read as _;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::{Durability, Place, Service};
use crate::problem::{During, Problem, Result};

/// The account that tests use; it may make databases of its own.
const USER: &str = "idem";

/// MariaDB.
pub(super) struct MariaDb;

impl Service for MariaDb {
    fn name(&self) -> &'static str {
        "mariadb"
    }

    fn variable(&self) -> &'static str {
        "IDEM_TEST_MYSQL_URL"
    }

    fn package(&self) -> &'static str {
        // What Debian's mariadb-server is made of, without the part that starts one on port 3306.
        "mariadb-server-core mariadb-client-core"
    }

    fn programs(&self) -> &'static [&'static str] {
        &["mariadb-install-db", "mariadbd"]
    }

    fn folders(&self) -> Vec<PathBuf> {
        // The server is for administrators, and PATH has that folder for them alone.
        vec!["/usr/sbin".into()]
    }

    fn account(&self) -> Option<&'static str> {
        Some("mysql")
    }

    fn initialise(&self, place: &Place) -> Result<()> {
        let first = place.data.join("first.sql");
        // The tables of rights are not read while the server makes them, hence the flush. A byte
        // for a character and a collation that folds case are what an old server begins with: what
        // is exact there is exact everywhere.
        let statements = format!(
            "flush privileges;\n\
             create database idem character set latin1 collate latin1_swedish_ci;\n\
             create user {USER}@'%' identified by '{}';\n\
             grant all on *.* to {USER}@'%';\n",
            place.password
        );
        super::account::write_private(&first, &statements, place.account.as_ref())?;
        let output = place
            .command("mariadb-install-db")
            .arg("--no-defaults")
            .arg(format!("--datadir={}", place.data.join("server").display()))
            .arg(format!("--extra-file={}", first.display()))
            .args(["--skip-test-db", "--skip-name-resolve"])
            .args(CARELESS)
            .stdin(Stdio::null())
            .output()
            .during("starting mariadb-install-db")?;
        if output.status.success() {
            return Ok(());
        }
        let said = [output.stderr, output.stdout].concat();
        Err(Problem::new(format!(
            "mariadb-install-db failed: {}",
            String::from_utf8_lossy(&said).trim()
        )))
    }

    fn server(&self, place: &Place) -> Command {
        let mut server = place.command("mariadbd");
        server
            .arg("--no-defaults")
            .arg(format!("--datadir={}", place.data.join("server").display()))
            .arg(format!("--port={}", place.port))
            // The name of a socket must be shorter than a folder may be; it is relative to the
            // server's data.
            .args(["--bind-address=127.0.0.1", "--socket=socket"])
            .args(["--skip-name-resolve", "--max-connections=200"])
            .arg("--pid-file=pid");
        match place.durability {
            Durability::Throwaway => {
                server.args(CARELESS);
                // A commit is with the system before it is told: what kills the server does not
                // undo it.
                server.arg("--innodb-flush-log-at-trx-commit=2");
            }
            Durability::Durable => {}
        }
        server
    }

    fn is_ready(&self, place: &Place) -> bool {
        greets(SocketAddr::from((Ipv4Addr::LOCALHOST, place.port)))
    }

    fn url(&self, place: &Place) -> String {
        format!(
            "mysql://{USER}:{}@127.0.0.1:{}/idem",
            place.password, place.port
        )
    }
}

/// Nothing is forced to the disk.
const CARELESS: [&str; 3] = [
    "--innodb-flush-method=nosync",
    "--innodb-doublewrite=off",
    "--innodb-log-file-size=16M",
];

/// Whether a server sends its greeting: four bytes of length and number, then the version of the
/// protocol, which is 10; a refusal has 255 in its place.
fn greets(address: SocketAddr) -> bool {
    const PATIENCE: Duration = Duration::from_secs(1);
    let Ok(mut stream) = TcpStream::connect_timeout(&address, PATIENCE) else {
        return false;
    };
    let mut greeting = [0; 5];
    stream.set_read_timeout(Some(PATIENCE)).is_ok()
        && stream.read_exact(&mut greeting).is_ok()
        && greeting[4] == 10
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::net::TcpListener;

    use super::greets;

    #[test]
    fn a_server_is_ready_when_it_greets_and_not_when_it_refuses() -> std::io::Result<()> {
        for (protocol, ready) in [(10, true), (255, false)] {
            let listener = TcpListener::bind(("127.0.0.1", 0))?;
            let address = listener.local_addr()?;
            let server = std::thread::spawn(move || {
                let (mut client, _) = listener.accept()?;
                client.write_all(&[1, 0, 0, 0, protocol])
            });
            assert_eq!(greets(address), ready);
            assert!(server.join().is_ok_and(|told| told.is_ok()));
        }
        Ok(())
    }
}
