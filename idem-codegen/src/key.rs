//! The key: lowered once, judged by the same rules as a contract's.

mod agree;
mod lower;
mod shape;

use idem_contract::{
    Check, Contract, Diagnostic, FieldType, Findings, KeyExpr, KeyPlace, PartKind, Place, Severity,
    rules,
};
use proc_macro2::Ident;
use syn::Expr;

use lower::{Lowered, Places, lower};
pub(crate) use lower::{Scope, member};

use crate::report::{At, Refusal, Report};

/// A part that layer 1 lets through.
#[derive(Clone, Debug)]
pub(crate) struct KeyPart {
    /// The expression, without `trust`.
    pub(crate) expr: Expr,
    /// The author's word instead of the proof.
    pub(crate) trusted: bool,
    /// Whether the proof may borrow it.
    pub(crate) borrowed: bool,
    /// What the contract calls it.
    pub(crate) name: String,
    /// What the contract declares the field to be, where text can hold it in several ways.
    pub(crate) declared: Option<FieldType>,
    /// The arguments it starts at.
    pub(crate) roots: Vec<Ident>,
}

impl KeyPart {
    /// Takes over what the contract says of the field. `sha256(event.email)` is named after the
    /// field, and is not what the field holds.
    pub(crate) fn declare(&mut self, contract: &Contract) {
        self.declared = contract
            .field(&self.name)
            .filter(|_| self.borrowed)
            .and_then(|field| field.kind.get().copied())
            .filter(|kind| {
                matches!(
                    kind,
                    FieldType::Uuid | FieldType::Decimal | FieldType::Integer | FieldType::Boolean
                )
            });
    }
}

/// What layer 1 found out.
#[derive(Debug, Default)]
pub(crate) struct Judged {
    /// The parts that may go on to the other layers.
    pub(crate) parts: Vec<KeyPart>,
    /// The arguments of which fields are in the key, in the order met.
    pub(crate) payloads: Vec<Ident>,
}

/// Layer 1 for a written key.
///
/// `sound` is the contract, when its own key gave no reason to refuse it: otherwise the same
/// mistake would be reported in both places.
pub(crate) fn judge(
    written: &[Expr],
    whole: At,
    scope: &Scope,
    contract: Option<&Contract>,
    sound: bool,
    report: &mut Report,
) -> Judged {
    if written.is_empty() && contract.is_none() {
        let refusal = Refusal::new(
            whole,
            "the key has no parts",
            "without a key every delivery is new work",
            "write the fields that are the same on every attempt of one operation, and differ between operations",
        );
        report.add(refusal.by("no-key"));
    }
    let mut places = Places::default();
    let start = places.whole(whole);
    let mut parts: Vec<Lowered> = written
        .iter()
        .map(|expr| lower(expr, scope, &mut places))
        .collect();
    tell_namesakes_apart(&mut parts);
    if let Some(contract) = contract {
        for lowered in &mut parts {
            declare(lowered, contract);
        }
    }
    let key = KeyExpr {
        place: KeyPlace::Attribute,
        span: (start..places.len()).into(),
        parts: parts.iter().map(|lowered| lowered.part.clone()).collect(),
    };
    let mut findings = if sound {
        by_rules(&key)
    } else {
        by_names(&key)
    };
    if let Some(contract) = contract {
        findings.retain(|finding| !crate::contracts::is_allowed(contract, finding));
    }
    // A key of which a part is refused for its form says nothing yet as a whole.
    if parts.iter().any(|lowered| lowered.shape.is_some()) {
        findings.retain(|finding| owner(&key, finding).is_some());
    }
    let mut refused = vec![false; parts.len()];
    let mut refusals: Vec<(usize, Refusal)> = Vec::new();
    for finding in findings {
        let owner = owner(&key, &finding);
        if let Some(owner) = owner {
            refused[owner] = true;
        }
        refusals.push((owner.unwrap_or(usize::MAX), refusal(finding, &places)));
    }
    for (at, lowered) in parts.iter_mut().enumerate() {
        if let Some(shape) = lowered.shape.take()
            && !refused[at]
        {
            refused[at] = true;
            refusals.push((at, shape));
        }
    }
    refusals.sort_by_key(|(owner, _)| *owner);
    report.extend(refusals.into_iter().map(|(_, refusal)| refusal));
    if let Some(contract) = contract {
        report.extend(agree::agree(&mut parts, &refused, contract, whole));
    }
    let mut judged = Judged::default();
    for (lowered, refused) in parts.into_iter().zip(refused) {
        for path in &lowered.paths {
            let payload = !path.fields.is_empty() || !path.accessors.is_empty();
            if payload && path.root != "self" && !judged.payloads.contains(&path.root) {
                judged.payloads.push(path.root.clone());
            }
        }
        if !refused {
            judged.parts.push(KeyPart {
                borrowed: lower::is_borrowed(&lowered.expr),
                trusted: lowered.part.trusted,
                declared: None,
                name: lowered.part.name,
                roots: lowered.paths.into_iter().map(|path| path.root).collect(),
                expr: lowered.expr,
            });
        }
    }
    judged
}

/// `buyer.id` and `seller.id` are two names without a contract, which would have one for each.
fn tell_namesakes_apart(parts: &mut [Lowered]) {
    let roots: Vec<(String, String)> = parts
        .iter()
        .map(|lowered| {
            let root = lowered.paths.first().map(|path| path.root.to_string());
            (lowered.part.name.clone(), root.unwrap_or_default())
        })
        .collect();
    for (at, lowered) in parts.iter_mut().enumerate() {
        let (name, root) = &roots[at];
        if lowered.part.kind == PartKind::Field
            && roots
                .iter()
                .any(|(other, other_root)| other == name && other_root != root)
        {
            lowered.part.name = format!("{root}.{name}");
        }
    }
}

/// What the contract says of the field.
fn declare(lowered: &mut Lowered, contract: &Contract) {
    let Some(field) = lowered.names.iter().find_map(|name| contract.field(name)) else {
        return;
    };
    let part = &mut lowered.part;
    part.name.clone_from(&field.name.value);
    *part = part.clone().declared_as(field);
}

/// Every key rule that looks at attributes, errors only: a warning does not stop the compiler.
fn by_rules(key: &KeyExpr) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for rule in rules::ALL {
        if let Check::Key(check) = rule.check
            && rule.places.contains(&Place::Attribute)
        {
            check(key, &mut Findings::new(rule, &mut found));
        }
    }
    found.retain(|finding| finding.severity == Severity::Error);
    one_of_a_kind(key, found)
}

/// The same without what the contract says: its own findings speak of that.
fn by_names(key: &KeyExpr) -> Vec<Diagnostic> {
    let mut bare = key.clone();
    for part in &mut bare.parts {
        part.field_type = None;
        part.origin = None;
        part.optional = false;
        part.default = None;
    }
    by_rules(&bare)
}

/// One finding of a rule for each part: `SystemTime::now().elapsed()` is one clock, and the first
/// of its names in the source is where it starts.
fn one_of_a_kind(key: &KeyExpr, mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    found.sort_by_key(|finding| finding.span);
    let mut kept: Vec<Diagnostic> = Vec::new();
    for finding in found {
        let owner = owner(key, &finding);
        let known = kept
            .iter()
            .any(|other| other.rule == finding.rule && self::owner(key, other) == owner);
        if !known {
            kept.push(finding);
        }
    }
    kept
}

/// The part a finding is about; none for the key as a whole.
fn owner(key: &KeyExpr, finding: &Diagnostic) -> Option<usize> {
    key.parts
        .iter()
        .position(|part| part.span.start <= finding.span.start && finding.span.end <= part.span.end)
}

fn refusal(finding: Diagnostic, places: &Places) -> Refusal {
    Refusal::new(
        places.at(finding.span),
        finding.message,
        finding.why,
        finding.help,
    )
    .by(finding.rule)
}
