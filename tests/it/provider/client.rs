//! The client of the provider, and what its errors mean.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// Why a renewal failed.
#[derive(Debug, PartialEq, Eq, idem::Failure)]
pub(crate) enum RenewalError {
    /// The provider cannot be reached, asks to slow down, or works on the same key.
    #[failure(no_effect)]
    NotNow,
    /// The card is declined, or the key was used for another charge.
    #[failure(final)]
    Refused(u16),
    /// The provider was asked and gave no answer.
    #[failure(unknown)]
    NoAnswer,
    /// The invoice could not be written.
    #[failure(no_effect)]
    NotWritten,
}

/// Charges a card under that key.
pub(crate) async fn charge(
    provider: SocketAddr,
    key: &str,
    amount: i64,
) -> Result<String, RenewalError> {
    post(provider, "/charges", Some(key), &format!("amount={amount}")).await
}

/// Sends a mail.
pub(crate) async fn mail(provider: SocketAddr, text: &str) -> Result<String, RenewalError> {
    post(provider, "/mails", None, text).await
}

async fn post(
    provider: SocketAddr,
    path: &str,
    key: Option<&str>,
    body: &str,
) -> Result<String, RenewalError> {
    let mut stream = TcpStream::connect(provider)
        .await
        .map_err(|_| RenewalError::NotNow)?;
    let key = key.map_or_else(String::new, |key| format!("idempotency-key: {key}\r\n"));
    let length = body.len();
    let request =
        format!("POST {path} HTTP/1.1\r\nhost: it\r\ncontent-length: {length}\r\n{key}\r\n{body}");
    let mut answer = String::new();
    let asked = async {
        stream.write_all(request.as_bytes()).await?;
        stream.read_to_string(&mut answer).await
    };
    asked.await.map_err(|_| RenewalError::NoAnswer)?;
    let status = answer
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok());
    let body = answer.split_once("\r\n\r\n").map(|(_, body)| body);
    match (status, body) {
        (Some(200..=299), Some(body)) => Ok(body.to_owned()),
        (Some(409 | 425 | 429 | 503), _) => Err(RenewalError::NotNow),
        (Some(status @ 400..=499), _) => Err(RenewalError::Refused(status)),
        (Some(_) | None, _) => Err(RenewalError::NoAnswer),
    }
}
