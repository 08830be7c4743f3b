//! Which forms a part may have.
//!
//! A part is an argument, a field path that starts at one, a literal, a constant, `&part`,
//! `(part)`, `part.as_str()`, or a call that the purity proof can judge.

use syn::visit::Visit;
use syn::{Expr, ExprCall, Lit, UnOp};

use super::lower::Scope;
use crate::handler::tidy;
use crate::near::near;
use crate::report::{At, Refusal};

type Checked = Result<(), Refusal>;

const PROOF: &str = "the compiler must be able to prove the key a function of the event alone";
const FIELD: &str = "write a field of the event; what must be computed goes into a `const fn` accessor of the event's type";

/// Whether the part, as written, is of an accepted form.
pub(super) fn check(expr: &Expr, scope: &Scope) -> Checked {
    match expr {
        Expr::Lit(lit)
            if matches!(
                lit.lit,
                Lit::Str(_)
                    | Lit::ByteStr(_)
                    | Lit::Byte(_)
                    | Lit::Char(_)
                    | Lit::Int(_)
                    | Lit::Float(_)
                    | Lit::Bool(_)
            ) =>
        {
            Ok(())
        }
        Expr::Path(path) if path.qself.is_none() => name(&path.path, scope),
        Expr::Field(field) => check(&field.base, scope),
        Expr::Paren(paren) => check(&paren.expr, scope),
        Expr::Group(group) => check(&group.expr, scope),
        Expr::Reference(reference) if reference.mutability.is_none() => {
            check(&reference.expr, scope)
        }
        Expr::Unary(unary)
            if matches!(unary.op, UnOp::Neg(_)) && matches!(*unary.expr, Expr::Lit(_)) =>
        {
            Ok(())
        }
        Expr::MethodCall(call) => {
            check(&call.receiver, scope)?;
            let method = call.method.to_string();
            if is_left_out(&method) && call.args.is_empty() {
                return Err(left_out(
                    &call.receiver,
                    &method,
                    At::span(call.method.span()),
                ));
            }
            call.args
                .iter()
                .try_for_each(|argument| check_argument(argument, scope))
        }
        Expr::Call(call) if matches!(&*call.func, Expr::Path(_)) => {
            if is_trust(call) {
                return Err(Refusal::new(
                    At::of(call),
                    "`trust` stands inside a part",
                    "what it vouches for must be visible at a glance",
                    "write `trust(…, reason = \"…\")` around the whole part",
                )
                .by("impure-key"));
            }
            call.args
                .iter()
                .try_for_each(|argument| check_argument(argument, scope))
        }
        other => Err(refused(other)),
    }
}

/// An argument of a call may also be a function.
fn check_argument(expr: &Expr, scope: &Scope) -> Checked {
    match expr {
        Expr::Path(_) => Ok(()),
        other => check(other, scope),
    }
}

/// A lone name is an argument, or a constant by its capitals.
fn name(path: &syn::Path, scope: &Scope) -> Checked {
    let Some(ident) = path.get_ident() else {
        return Ok(());
    };
    if scope.has(ident) || !ident.to_string().contains(|c: char| c.is_lowercase()) {
        return Ok(());
    }
    if scope.tx.contains(ident) {
        return Err(Refusal::new(
            At::of(ident),
            format!("`{ident}` is the transaction, not a part of the event"),
            "it is another one on each attempt",
            "write a field of the event",
        )
        .by("impure-key"));
    }
    let names: Vec<String> = scope.names.iter().map(ToString::to_string).collect();
    let help = match near(&ident.to_string(), names.iter().map(String::as_str)) {
        Some(near) => format!("write `{near}` instead"),
        None => {
            "pass the value as an argument of the handler, where the event is received".to_owned()
        }
    };
    Err(Refusal::new(
        At::of(ident),
        format!("`{ident}` is not an argument of the handler"),
        "a key is made of what every attempt is given, and nothing else",
        help,
    )
    .by("undeclared-key-field"))
}

/// Methods that only make an owned copy or another reference: parts are taken by reference.
pub(super) fn is_left_out(method: &str) -> bool {
    [
        "clone",
        "cloned",
        "to_string",
        "to_owned",
        "into",
        "as_ref",
        "borrow",
        "deref",
    ]
    .contains(&method)
}

fn left_out(receiver: &Expr, method: &str, at: At) -> Refusal {
    Refusal::new(
        at,
        format!("`{method}()` is not needed in a key"),
        "parts are taken by reference",
        format!("leave it out: `{}`", tidy(receiver)),
    )
    .by("impure-key")
}

fn is_trust(call: &ExprCall) -> bool {
    matches!(&*call.func, Expr::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "trust"))
}

/// `trust(expr, reason = "…")` around a whole part: the expression inside, or what is missing.
pub(super) fn trust(expr: &Expr) -> Option<Result<Expr, (Expr, Refusal)>> {
    let Expr::Call(call) = expr else {
        return None;
    };
    if !is_trust(call) {
        return None;
    }
    let inner = call.args.first().cloned().unwrap_or_else(|| expr.clone());
    let given = match (call.args.len(), call.args.get(1)) {
        (2, Some(Expr::Assign(assign))) => {
            let named = matches!(&*assign.left, Expr::Path(path) if path.path.is_ident("reason"));
            match &*assign.right {
                Expr::Lit(lit) if named => match &lit.lit {
                    Lit::Str(reason) => !reason.value().trim().is_empty(),
                    _ => false,
                },
                _ => false,
            }
        }
        _ => false,
    };
    Some(if given {
        Ok(inner)
    } else {
        let refusal = Refusal::new(
            At::of(expr),
            "`trust` gives no reason",
            "it lifts the proof that a retry finds its first attempt, and a reader must be able to judge that",
            format!("write `trust({}, reason = \"…\")`", tidy(&inner)),
        )
        .by("allow-without-reason");
        Err((inner, refusal))
    })
}

/// What even `trust` cannot allow: an expression that leaves the wrapper instead of giving a part.
pub(super) fn leaving(expr: &Expr) -> Option<Refusal> {
    struct Leaving(Option<At>);
    impl<'ast> Visit<'ast> for Leaving {
        fn visit_expr(&mut self, expr: &'ast Expr) {
            match expr {
                Expr::Try(inner) => self.0 = self.0.or(Some(At::of(&inner.question_token))),
                Expr::Await(inner) => self.0 = self.0.or(Some(At::of(&inner.await_token))),
                Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => {
                    self.0 = self.0.or(Some(At::of(expr)));
                }
                Expr::Closure(_) | Expr::Async(_) => return,
                _ => {}
            }
            syn::visit::visit_expr(self, expr);
        }
    }
    let mut leaving = Leaving(None);
    leaving.visit_expr(expr);
    leaving.0.map(|at| {
        Refusal::new(
            at,
            "a part cannot leave the handler",
            "a key that cannot be made must be refused where the event is received, before any claim",
            "compute the value before the handler is called, and pass it as an argument",
        )
        .by("impure-key")
    })
}

/// The words for a form that is not accepted.
fn refused(expr: &Expr) -> Refusal {
    let (what, why, help, rule) = match expr {
        Expr::Cast(_) => (
            "a cast",
            "a cast is how a position or a rounded number gets into a key, and two values may become one",
            "write the field as it is; a newtype with `#[derive(idem::KeyPart)]` keeps its own type",
            "position-in-key",
        ),
        Expr::Index(index) if matches!(&*index.index, Expr::Range(_)) => (
            "a piece of a value",
            "it names a position in the value, and two values may share the piece",
            "write the whole field",
            "position-in-key",
        ),
        Expr::Index(_) => (
            "an index",
            "a retry that carries other items finds another one at that position",
            "write the item's own identifier, or call the handler once for each item",
            "position-in-key",
        ),
        Expr::Range(_) => (
            "a range",
            "a piece of a value names a position in it, and two values may share the piece",
            "write the whole field",
            "position-in-key",
        ),
        Expr::Unsafe(_) => (
            "`unsafe`",
            "it can reach data that differs between attempts where no check sees it",
            "write a field of the event",
            "environment-in-key",
        ),
        Expr::Call(_) => ("a call through a value", PROOF, FIELD, "impure-key"),
        Expr::Closure(_) => ("a closure", PROOF, FIELD, "impure-key"),
        Expr::Macro(_) => ("a macro", PROOF, FIELD, "impure-key"),
        Expr::Async(_) | Expr::Await(_) => (
            "asynchronous code",
            "what has to be waited for is not in the event, and may differ on the next attempt",
            "look it up inside the handler; write a field of the event as the part",
            "impure-key",
        ),
        Expr::Loop(_) | Expr::ForLoop(_) | Expr::While(_) => ("a loop", PROOF, FIELD, "impure-key"),
        Expr::Block(_) | Expr::Const(_) | Expr::TryBlock(_) => {
            ("a block", PROOF, FIELD, "impure-key")
        }
        Expr::If(_) | Expr::Match(_) | Expr::Let(_) => (
            "a condition",
            "two kinds of events that meet in one value would share a key",
            "write every field that tells the operations apart as a part of its own",
            "impure-key",
        ),
        Expr::Try(_) => (
            "`?`",
            "a part that may be missing has no place in a key: the event must be refused before the claim",
            "parse it where the event is received, and write the parsed field",
            "impure-key",
        ),
        Expr::Binary(binary) if matches!(binary.op, syn::BinOp::Add(_)) => (
            "`+`",
            "joined values merge: `1` and `23` give the text of `12` and `3`",
            "write each value as a part of its own: `key = (a, b)`",
            "joined-key-text",
        ),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => (
            "`*`",
            "parts are taken by reference",
            "leave it out",
            "impure-key",
        ),
        Expr::Binary(_) | Expr::Unary(_) => (
            "an operator",
            "arithmetic makes one value of several: two operations may get one key",
            "write the field as it is",
            "impure-key",
        ),
        Expr::Tuple(_) | Expr::Array(_) | Expr::Repeat(_) => (
            "a tuple or array",
            "a key is one flat list of parts",
            "write each value as a part of its own: `key = (a, b)`",
            "impure-key",
        ),
        Expr::Reference(_) => (
            "`&mut`",
            "making a key changes nothing",
            "leave it out: parts are taken by reference",
            "impure-key",
        ),
        _ => ("this expression", PROOF, FIELD, "impure-key"),
    };
    Refusal::new(
        At::of(expr),
        format!("{what} cannot be in a key"),
        why,
        help,
    )
    .by(rule)
}
