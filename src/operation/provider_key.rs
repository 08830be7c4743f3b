//! The key that a provider is given for one effect of one operation.

use sha2::{Digest, Sha256};

use crate::Key;

/// The key under which an effect's provider is called: the same on every attempt, and another for
/// every other operation or effect.
///
/// **Units and shapes**: a version 8 UUID in lower case, so 36 bytes, which every provider takes whose
/// limit is known. Its 122 free bits are the first of the SHA-256 of `idem-provider-key-1`, the
/// operation's key and the effect's name, joined by line feeds. None of the three can hold one, so that
/// two operations never share a key. The recipe never changes: a retry after an upgrade must send what
/// the first attempt sent.
///
/// ```
/// # let mut builder = idem::key::KeyBuilder::new("refund-order", 2);
/// # builder.add("acme");
/// # builder.add("re_1");
/// let key = builder.finish()?;
/// assert_eq!(key.as_str(), "refund-order:v2:acme:re_1");
/// assert_eq!(
///     idem::provider_key(&key, "provider-refund"),
///     "b539fb78-65c8-85ff-a328-c59b743a331f",
/// );
/// # Ok::<(), idem::KeyError>(())
/// ```
#[must_use]
pub fn provider_key(key: &Key, effect: &str) -> String {
    let mut digest = Sha256::new();
    digest.update(b"idem-provider-key-1\n");
    digest.update(key.as_str());
    digest.update(b"\n");
    digest.update(effect);
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest.finalize()[..16]);
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex = format!("{:032x}", u128::from_be_bytes(bytes));
    [
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..],
    ]
    .join("-")
}
