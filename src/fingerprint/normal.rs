//! One value, one form: what a declared type makes of a written value before it is hashed.

use super::FieldType;
use super::tree::{Tree, Why};
use crate::key::{canonical_decimal, is_shaped_as_uuid, nfc};

/// The largest integer up to which every double is exact, so that every JSON reader agrees on it.
const EXACT: i128 = 1 << 53;

/// The value of a field of type `kind`, normalised. `null` stays `null`: the caller leaves it out.
pub(super) fn field(kind: FieldType, tree: Tree) -> Result<Tree, Why> {
    let is_not = |what: &str| Err(Why(format!("is declared {what} and does not hold one")));
    match (kind, tree) {
        (_, Tree::Null) => Ok(Tree::Null),
        (FieldType::Integer, tree) => match integer(&tree) {
            Some(tree) => Ok(tree),
            None => is_not("an integer"),
        },
        (FieldType::Decimal, tree) => match decimal(&tree) {
            Some(text) => Ok(Tree::Text(text)),
            None => is_not("a decimal"),
        },
        (FieldType::Float, tree) => match float(&tree) {
            Some(number) => Ok(Tree::Float(number)),
            None => is_not("a float"),
        },
        (FieldType::Boolean, Tree::Bool(value)) => Ok(Tree::Bool(value)),
        (FieldType::Boolean, Tree::Text(text)) if text == "true" || text == "false" => {
            Ok(Tree::Bool(text == "true"))
        }
        (FieldType::Boolean, _) => is_not("a boolean"),
        (FieldType::Uuid, Tree::Text(text)) => match uuid(&text) {
            Some(text) => Ok(Tree::Text(text)),
            None => is_not("a UUID"),
        },
        // The compact form of a UUID: sixteen bytes.
        (FieldType::Uuid, tree) => match bytes(&tree) {
            Some(bytes) if bytes.len() == 16 => Ok(uuid_of(&bytes)),
            _ => is_not("a UUID"),
        },
        (FieldType::Bytes, Tree::Text(text)) => Ok(Tree::Text(nfc(&text).into_owned())),
        (FieldType::Bytes, tree) => match bytes(&tree) {
            Some(bytes) => Ok(Tree::Bytes(bytes)),
            None => is_not("bytes"),
        },
        (FieldType::String, tree) if !matches!(tree, Tree::Text(_)) => is_not("a string"),
        (FieldType::Object, tree) if !matches!(tree, Tree::Object(_)) => is_not("an object"),
        (FieldType::Array, tree) if !matches!(tree, Tree::Array(_)) => is_not("an array"),
        (
            FieldType::String
            | FieldType::Date
            | FieldType::Timestamp
            | FieldType::Enum
            | FieldType::Object
            | FieldType::Array
            | FieldType::Any,
            tree,
        ) => untyped(tree),
    }
}

/// A value whose inside the contract does not describe.
fn untyped(tree: Tree) -> Result<Tree, Why> {
    Ok(match tree {
        Tree::Text(text) => Tree::Text(nfc(&text).into_owned()),
        Tree::Integer(_) | Tree::Literal(_) => number(tree)?,
        Tree::Array(items) => {
            Tree::Array(items.into_iter().map(untyped).collect::<Result<_, _>>()?)
        }
        Tree::Object(members) => object(members)?,
        Tree::Null | Tree::Bool(_) | Tree::Float(_) | Tree::Bytes(_) => tree,
    })
}

fn object(members: Vec<(String, Tree)>) -> Result<Tree, Why> {
    let mut kept: Vec<(String, Tree)> = Vec::with_capacity(members.len());
    for (name, tree) in members {
        if tree != Tree::Null {
            kept.push((nfc(&name).into_owned(), untyped(tree)?));
        }
    }
    kept.sort_by(|(one, _), (other, _)| one.cmp(other));
    if kept.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        return Err(Why("has two members of one name".to_owned()));
    }
    Ok(Tree::Object(kept))
}

fn number(tree: Tree) -> Result<Tree, Why> {
    integer(&tree)
        .or_else(|| float(&tree).map(Tree::Float))
        .ok_or_else(|| Why("has a number that cannot be read".to_owned()))
}

/// An integer: a JSON number up to 2^53 either way, decimal text beyond.
fn integer(tree: &Tree) -> Option<Tree> {
    let value = match tree {
        Tree::Integer(value) => Some(*value),
        Tree::Float(value) if value.fract() == 0.0 && value.abs() <= EXACT as f64 => {
            Some(*value as i128)
        }
        Tree::Text(text) | Tree::Literal(text) => {
            let digits = canonical_decimal(text).filter(|digits| !digits.contains('.'))?;
            match digits.parse::<i128>() {
                Ok(value) => Some(value),
                Err(_) => return Some(Tree::Text(digits)),
            }
        }
        Tree::Null
        | Tree::Bool(_)
        | Tree::Float(_)
        | Tree::Bytes(_)
        | Tree::Array(_)
        | Tree::Object(_) => None,
    }?;
    Some(if (-EXACT..=EXACT).contains(&value) {
        Tree::Integer(value)
    } else {
        Tree::Text(value.to_string())
    })
}

fn decimal(tree: &Tree) -> Option<String> {
    match tree {
        Tree::Integer(value) => Some(value.to_string()),
        // Its shortest text: what a JSON writer would have sent.
        Tree::Float(value) => canonical_decimal(&value.to_string()),
        Tree::Text(text) | Tree::Literal(text) => canonical_decimal(text),
        Tree::Null | Tree::Bool(_) | Tree::Bytes(_) | Tree::Array(_) | Tree::Object(_) => None,
    }
}

fn float(tree: &Tree) -> Option<f64> {
    match tree {
        Tree::Integer(value) => Some(*value as f64),
        Tree::Float(value) => Some(*value),
        Tree::Text(text) | Tree::Literal(text) => {
            // Only what is written in digits: Rust also reads `inf` and `nan`.
            let written = text.bytes().any(|byte| byte.is_ascii_digit());
            text.parse()
                .ok()
                .filter(|value: &f64| written && value.is_finite())
        }
        Tree::Null | Tree::Bool(_) | Tree::Bytes(_) | Tree::Array(_) | Tree::Object(_) => None,
    }
}

/// Bytes, also as the list of small numbers that serde makes of a `Vec<u8>`.
fn bytes(tree: &Tree) -> Option<Vec<u8>> {
    match tree {
        Tree::Bytes(bytes) => Some(bytes.clone()),
        Tree::Array(items) => items
            .iter()
            .map(|item| match item {
                Tree::Integer(value) => u8::try_from(*value).ok(),
                Tree::Null
                | Tree::Bool(_)
                | Tree::Float(_)
                | Tree::Literal(_)
                | Tree::Text(_)
                | Tree::Bytes(_)
                | Tree::Array(_)
                | Tree::Object(_) => None,
            })
            .collect(),
        Tree::Null
        | Tree::Bool(_)
        | Tree::Integer(_)
        | Tree::Float(_)
        | Tree::Literal(_)
        | Tree::Text(_)
        | Tree::Object(_) => None,
    }
}

/// A UUID in lower case with hyphens, from either way of writing it.
pub(crate) fn uuid(text: &str) -> Option<String> {
    let digits: String = text.chars().filter(|c| *c != '-').collect();
    (is_shaped_as_uuid(text) && digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
        .then(|| hyphenated(&digits.to_ascii_lowercase()))
}

fn uuid_of(bytes: &[u8]) -> Tree {
    let mut digits = String::with_capacity(32);
    crate::key::push_hex(&mut digits, bytes);
    Tree::Text(hyphenated(&digits))
}

/// `digits` has 32 ASCII characters.
fn hyphenated(digits: &str) -> String {
    [
        &digits[..8],
        &digits[8..12],
        &digits[12..16],
        &digits[16..20],
        &digits[20..],
    ]
    .join("-")
}
