//! Canonical text: one value, one text, whatever way it was written.

use std::borrow::Cow;
use std::fmt::Write as _;

use sha2::{Digest, Sha256};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// The text in normal form C. Case is left alone.
pub(crate) fn nfc(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfc().collect())
    }
}

/// Whether a byte stands for itself in a part. `%` and `:` do not: the first would make encodings
/// ambiguous, the second would make parts run together.
const fn stands_for_itself(byte: u8) -> bool {
    matches!(byte, b'!'..=b'~') && byte != b'%' && byte != b':'
}

/// Appends `text` (already in normal form C) percent-encoded.
pub(crate) fn push_encoded(out: &mut String, text: &str) {
    const HEX: [char; 16] = [
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F',
    ];
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| !stands_for_itself(byte)) {
        // Every byte before `at` is ASCII, so both ends are character boundaries.
        let (plain, tail) = rest.split_at(at);
        out.push_str(plain);
        let mut buffer = [0; 4];
        let Some(character) = tail.chars().next() else {
            return;
        };
        for byte in character.encode_utf8(&mut buffer).bytes() {
            out.push('%');
            out.push(HEX[usize::from(byte >> 4)]);
            out.push(HEX[usize::from(byte & 15)]);
        }
        rest = &tail[character.len_utf8()..];
    }
    out.push_str(rest);
}

/// Lower-case hex.
pub(crate) fn push_hex(out: &mut String, bytes: &[u8]) {
    const HEX: [char; 16] = [
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f',
    ];
    for byte in bytes {
        out.push(HEX[usize::from(byte >> 4)]);
        out.push(HEX[usize::from(byte & 15)]);
    }
}

/// Appends the lower-case hex SHA-256 of `bytes`.
pub(crate) fn push_sha256(out: &mut String, bytes: &[u8]) {
    push_hex(out, &Sha256::digest(bytes));
}

/// Whether nothing in the text can be seen.
pub(crate) fn is_blank(text: &str) -> bool {
    text.chars().all(|c| {
        c.is_whitespace()
            || c.is_control()
            || matches!(
                c,
                '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}' | '\u{00AD}'
            )
    })
}

/// Whether the text has the shape of a UUID, with its four hyphens or without any.
pub(crate) fn is_shaped_as_uuid(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_hyphen_at = |at: &usize| bytes[*at] == b'-';
    let hyphens = bytes.iter().filter(|byte| **byte == b'-').count();
    match bytes.len() {
        32 => hyphens == 0,
        36 => hyphens == 4 && [8, 13, 18, 23].iter().all(is_hyphen_at),
        _ => false,
    }
}

/// Whether the text is the nil or the max UUID, hyphenated or not.
pub(crate) fn is_placeholder_uuid(text: &str) -> bool {
    let digits = || text.bytes().filter(|byte| *byte != b'-');
    is_shaped_as_uuid(text)
        && (digits().all(|byte| byte == b'0') || digits().all(|byte| matches!(byte, b'f' | b'F')))
}

/// A decimal number without exponent, leading or trailing zeros, plus sign or minus zero:
/// `1.50` and `15e-1` are `1.5`. `None` for anything that is not a decimal number, and for one
/// whose digits written out would be absurdly many.
pub(crate) fn canonical_decimal(text: &str) -> Option<String> {
    /// No currency, rate or quantity needs more digits on either side of the point.
    const MAX_SCALE: i64 = 400;

    let (negative, unsigned) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => {
            let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            (mantissa, exponent.parse::<i64>().ok()?)
        }
        None => (unsigned, 0),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((_, "")) => return None,
        Some((whole, fraction)) => (whole, fraction),
        None => (mantissa, ""),
    };
    if whole.is_empty()
        || !whole
            .bytes()
            .chain(fraction.bytes())
            .all(|b| b.is_ascii_digit())
    {
        return None;
    }
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_start_matches('0');
    let leading = digits.len() - significant.len();
    let significant = significant.trim_end_matches('0');
    if significant.is_empty() {
        return Some("0".to_owned());
    }
    // Where the point stands, counted in digits from the start of `significant`.
    let whole_digits = i64::try_from(whole.len()).ok()?;
    let point = whole_digits
        .checked_sub(i64::try_from(leading).ok()?)?
        .checked_add(exponent)?;
    if point.checked_abs()? > MAX_SCALE || significant.len() > 400 {
        return None;
    }
    let mut out = String::with_capacity(significant.len() + 3);
    if negative {
        out.push('-');
    }
    match usize::try_from(point) {
        Ok(0) | Err(_) => {
            out.push_str("0.");
            out.extend(std::iter::repeat_n('0', usize::try_from(-point).ok()?));
            out.push_str(significant);
        }
        Ok(point) if point >= significant.len() => {
            out.push_str(significant);
            out.extend(std::iter::repeat_n('0', point - significant.len()));
        }
        Ok(point) => {
            out.push_str(&significant[..point]);
            out.push('.');
            out.push_str(&significant[point..]);
        }
    }
    Some(out)
}

/// A civil date as ISO 8601 writes it: four digits of year, or a sign and six where four do not do.
#[cfg(any(feature = "chrono", feature = "time", feature = "jiff"))]
pub(crate) fn push_date(out: &mut String, year: i32, month: u8, day: u8) {
    // Writing to a String cannot fail.
    let _ = if (0..=9999).contains(&year) {
        write!(out, "{year:04}-{month:02}-{day:02}")
    } else {
        write!(out, "{year:+07}-{month:02}-{day:02}")
    };
}

/// `<workflow>[@<consumer>]:v<version>:` without the last colon.
pub(crate) fn prefix(workflow: &str, consumer: Option<&str>, version: u32) -> String {
    let mut out = String::with_capacity(96);
    push_encoded(&mut out, &nfc(workflow));
    if let Some(consumer) = consumer {
        out.push('@');
        push_encoded(&mut out, &nfc(consumer));
    }
    // Writing to a String cannot fail.
    let _ = write!(out, ":v{version}");
    out
}

/// Whether this is a text that a finished key can have.
pub(crate) fn is_stored_key(text: &str) -> bool {
    if text.len() > super::Key::MAX_BYTES || !text.bytes().all(|byte| matches!(byte, b'!'..=b'~')) {
        return false;
    }
    let mut segments = text.split(':');
    let named = segments.next().is_some_and(|name| !name.is_empty());
    let versioned = segments
        .next()
        .and_then(|version| version.strip_prefix('v'))
        .is_some_and(|digits| digits.parse::<u32>().is_ok_and(|n| n.to_string() == digits));
    if !named || !versioned {
        return false;
    }
    let parts: Vec<&str> = segments.collect();
    match parts.as_slice() {
        [] => false,
        ["%sha256", digest] => {
            digest.len() == 64
                && digest
                    .bytes()
                    .all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
        }
        parts => parts.iter().all(|part| is_encoded_part(part)),
    }
}

fn is_encoded_part(part: &str) -> bool {
    let mut bytes = part.bytes();
    let mut seen = false;
    while let Some(byte) = bytes.next() {
        seen = true;
        if byte == b'%' {
            let escaped = |b: Option<u8>| b.is_some_and(|b| matches!(b, b'0'..=b'9' | b'A'..=b'F'));
            if !escaped(bytes.next()) || !escaped(bytes.next()) {
                return false;
            }
        }
    }
    seen
}
