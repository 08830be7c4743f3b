//! A provider that deduplicates on the `Idempotency-Key` header as payment providers document it, over
//! real sockets; and a mail server that deduplicates nothing.

use std::collections::{HashMap, VecDeque};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

/// What the provider does with its next call, instead of answering.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Next {
    /// The work, and then closes the connection without a word.
    DropsTheAnswer,
    /// The work, and answers that much later.
    IsLate(Duration),
    /// Nothing, and asks to slow down.
    SlowsDown,
    /// Nothing: the card is declined.
    Declines,
}

/// One running provider.
#[derive(Clone)]
pub(crate) struct Provider {
    pub(crate) address: SocketAddr,
    state: Arc<Mutex<State>>,
    answered: Arc<Notify>,
}

#[derive(Default)]
struct State {
    keys: HashMap<String, Known>,
    charges: Vec<String>,
    mails: Vec<String>,
    replays: u32,
    next: VecDeque<Next>,
}

struct Known {
    body: String,
    /// `None` while the first call is under way.
    answer: Option<String>,
}

impl Provider {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let provider = Self {
            address: listener.local_addr().expect("it is bound"),
            state: Arc::default(),
            answered: Arc::default(),
        };
        let serving = provider.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let serving = serving.clone();
                tokio::spawn(async move { serving.serve(stream).await });
            }
        });
        provider
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next charge goes like this.
    pub(crate) fn expect(&self, next: Next) {
        self.state().next.push_back(next);
    }

    /// The keys under which cards were charged.
    pub(crate) fn charges(&self) -> Vec<String> {
        self.state().charges.clone()
    }

    /// How many mails were sent.
    pub(crate) fn mails(&self) -> usize {
        self.state().mails.len()
    }

    /// How often a charge was answered from memory.
    pub(crate) fn replays(&self) -> u32 {
        self.state().replays
    }

    /// Until no charge is under way.
    pub(crate) async fn until_it_has_answered(&self) {
        loop {
            let told = self.answered.notified();
            let at_work = self
                .state()
                .keys
                .values()
                .any(|known| known.answer.is_none());
            if !at_work {
                return;
            }
            told.await;
        }
    }

    /// Every key is forgotten, as after the time that the provider's manual states.
    pub(crate) fn forget(&self) {
        self.state().keys.clear();
    }

    async fn serve(self, mut stream: TcpStream) {
        let Some(request) = read(&mut stream).await else {
            return;
        };
        let mut next = None;
        let answer = if request.path == "/mails" {
            self.state().mails.push(request.body.clone());
            "HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n".to_owned()
        } else {
            match self.charge(&request) {
                Ok(answer) => answer,
                Err(Begun { key, planned }) => {
                    next = planned;
                    if let Some(Next::IsLate(by)) = planned {
                        tokio::time::sleep(by).await;
                    }
                    self.charged(&key)
                }
            }
        };
        if !matches!(next, Some(Next::DropsTheAnswer)) {
            drop(stream.write_all(answer.as_bytes()).await);
        }
    }

    /// The answer that is known at once, or a charge that is begun.
    fn charge(&self, request: &Request) -> Result<String, Begun> {
        let mut state = self.state();
        let Some(key) = &request.key else {
            return Ok(answer("400 Bad Request", "", "a key is missing"));
        };
        if let Some(known) = state.keys.get(key) {
            return Ok(if known.body != request.body {
                answer(
                    "422 Unprocessable Content",
                    "",
                    "the key belongs to another request",
                )
            } else if let Some(known) = known.answer.clone() {
                state.replays += 1;
                answer("200 OK", "idempotent-replayed: true\r\n", &known)
            } else {
                answer("409 Conflict", "", "a request with this key is in progress")
            });
        }
        let planned = state.next.pop_front();
        match planned {
            Some(Next::SlowsDown) => return Ok(answer("429 Too Many Requests", "", "slow down")),
            Some(Next::Declines) => return Ok(answer("402 Payment Required", "", "declined")),
            Some(Next::DropsTheAnswer | Next::IsLate(_)) | None => {}
        }
        let body = request.body.clone();
        state.keys.insert(key.clone(), Known { body, answer: None });
        state.charges.push(key.clone());
        Err(Begun {
            key: key.clone(),
            planned,
        })
    }

    fn charged(&self, key: &str) -> String {
        let mut state = self.state();
        let charge = format!("ch_{}", state.charges.len());
        if let Some(known) = state.keys.get_mut(key) {
            known.answer = Some(charge.clone());
        }
        self.answered.notify_waiters();
        answer("200 OK", "", &charge)
    }
}

/// A charge under way.
struct Begun {
    key: String,
    planned: Option<Next>,
}

fn answer(status: &str, header: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\n{header}\r\n{body}")
}

struct Request {
    path: String,
    key: Option<String>,
    body: String,
}

async fn read(stream: &mut TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let header = |name: &str| {
                head.lines().find_map(|line| {
                    let (found, value) = line.split_once(':')?;
                    found
                        .eq_ignore_ascii_case(name)
                        .then(|| value.trim().to_owned())
                })
            };
            let length: usize = header("content-length")?.parse().ok()?;
            if body.len() >= length {
                return Some(Request {
                    path: head.split(' ').nth(1)?.to_owned(),
                    key: header("idempotency-key"),
                    body: body.to_owned(),
                });
            }
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
}
