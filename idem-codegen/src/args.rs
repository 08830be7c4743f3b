//! The attribute's arguments.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use syn::ext::IdentExt as _;
use syn::parse::Parser as _;
use syn::{Expr, LitInt, LitStr};

use crate::near::{list, near};
use crate::report::{At, Refusal, Report};

/// What stands between the parentheses of `#[idempotent(…)]`, as far as it was understood.
#[derive(Debug, Default)]
pub(crate) struct Args {
    pub(crate) contract: Option<Given<String>>,
    pub(crate) workflow: Option<Given<String>>,
    pub(crate) key: Option<KeyArg>,
    pub(crate) hash: Option<HashArg>,
    pub(crate) version: Option<Given<u32>>,
    pub(crate) lease: Option<Given<u64>>,
    pub(crate) window: Option<Given<Forget>>,
    pub(crate) max_attempts: Option<Given<u32>>,
    pub(crate) mode: Option<Given<Mode>>,
    pub(crate) response_version: Option<Given<u32>>,
    pub(crate) krate: Option<syn::Path>,
    pub(crate) payload: Option<Ident>,
    pub(crate) probe: Option<ProbeArg>,
    /// These arguments were given and not understood: their absence is not to be complained about.
    unreadable: Vec<&'static str>,
    /// Something was given that is no argument: it may stand for any that is missing.
    malformed: bool,
}

/// A value and where it was written.
#[derive(Clone, Debug)]
pub(crate) struct Given<T> {
    pub(crate) value: T,
    pub(crate) span: Span,
    /// The argument's name, for a refusal of the whole argument.
    pub(crate) name: Span,
}

/// `key = (…)`.
#[derive(Debug)]
pub(crate) struct KeyArg {
    pub(crate) parts: Vec<Expr>,
    pub(crate) at: At,
}

/// `hash = (…)` or `hash = "none"`.
#[derive(Debug)]
pub(crate) struct HashArg {
    pub(crate) fields: Vec<Expr>,
    pub(crate) name: Span,
}

/// `probe = find_pickup`, or several in parentheses.
#[derive(Debug)]
pub(crate) struct ProbeArg {
    pub(crate) probes: Vec<Expr>,
    pub(crate) name: Span,
}

/// How long a finished key is remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Forget {
    After(u64),
    Never,
}

/// Where the claim is committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Fused,
    Leased,
}

const NAMES: &[&str] = &[
    "contract",
    "workflow",
    "key",
    "hash",
    "version",
    "lease",
    "window",
    "max_attempts",
    "mode",
    "response_version",
    "crate",
    "payload",
    "probe",
];

impl Args {
    /// Reads every argument; one mistake does not hide the next.
    pub(crate) fn parse(tokens: TokenStream, report: &mut Report) -> Self {
        let mut args = Self::default();
        let mut seen: Vec<String> = Vec::new();
        for chunk in split(tokens) {
            match Argument::parse(chunk) {
                Ok(argument) if seen.contains(&argument.name.to_string()) => {
                    let name = &argument.name;
                    report.add(
                        Refusal::new(
                            At::span(name.span()),
                            format!("`{name}` is given twice"),
                            "one of the two would win silently",
                            "leave one of them out",
                        )
                        .by("invalid-syntax"),
                    );
                }
                Ok(argument) => {
                    seen.push(argument.name.to_string());
                    if let Err(refusal) = args.take(argument) {
                        report.add(refusal);
                    }
                }
                Err(refusal) => {
                    args.malformed = true;
                    report.add(refusal);
                }
            }
        }
        args
    }

    fn take(&mut self, argument: Argument) -> Result<(), Refusal> {
        let name = argument.name.unraw().to_string();
        let Some(known) = NAMES.iter().copied().find(|known| *known == name) else {
            return Err(unknown(&argument.name));
        };
        let taken = match known {
            "contract" => argument.text().map(|text| self.contract = Some(text)),
            "workflow" => argument.workflow().map(|text| self.workflow = Some(text)),
            "key" => argument.key().map(|key| self.key = Some(key)),
            "hash" => argument.hash().map(|hash| self.hash = Some(hash)),
            "version" => argument.positive().map(|n| self.version = Some(n)),
            "lease" => argument.duration().map(|ms| self.lease = Some(ms)),
            "window" => argument.window().map(|window| self.window = Some(window)),
            "max_attempts" => argument.positive().map(|n| self.max_attempts = Some(n)),
            "mode" => argument.mode().map(|mode| self.mode = Some(mode)),
            "response_version" => argument.positive().map(|n| self.response_version = Some(n)),
            "crate" => argument.path().map(|path| self.krate = Some(path)),
            "payload" => argument.ident().map(|ident| self.payload = Some(ident)),
            "probe" => argument.probe().map(|probe| self.probe = Some(probe)),
            other => unreachable!("`{other}` is in the list of arguments and not read"),
        };
        if taken.is_err() {
            self.unreadable.push(known);
        }
        taken
    }

    /// Whether the argument may have been meant by something that was not understood.
    pub(crate) fn may_mean(&self, name: &str) -> bool {
        self.malformed || self.unreadable.contains(&name)
    }
}

fn unknown(name: &Ident) -> Refusal {
    let word = name.unraw().to_string();
    let help = match near(&word, NAMES.iter().copied()) {
        Some(known) => format!("write `{known}` instead"),
        None => format!("the arguments are {}", list(NAMES.iter().copied())),
    };
    Refusal::new(
        At::span(name.span()),
        format!("there is no argument `{word}`"),
        "an argument that nobody reads protects nothing",
        help,
    )
    .by("unknown-field")
}

/// `name = value`.
#[derive(Debug)]
struct Argument {
    name: Ident,
    value: TokenStream,
}

impl Argument {
    fn parse(tokens: TokenStream) -> Result<Self, Refusal> {
        let at = At::of(&tokens);
        let mut tokens = tokens.into_iter();
        let name = match tokens.next() {
            Some(TokenTree::Ident(name)) => name,
            _ => return Err(malformed(at)),
        };
        let equals =
            matches!(tokens.next(), Some(TokenTree::Punct(punct)) if punct.as_char() == '=');
        let value: TokenStream = tokens.collect();
        if NAMES.iter().all(|known| name.unraw() != known) {
            return Err(unknown(&name));
        }
        if !equals || value.is_empty() {
            return Err(malformed(at));
        }
        Ok(Self { name, value })
    }

    fn at(&self) -> At {
        At::of(&self.value)
    }

    fn given<T>(&self, value: T) -> Given<T> {
        Given {
            value,
            span: self.at().first,
            name: self.name.span(),
        }
    }

    fn wrong(&self, expected: &str, example: &str) -> Refusal {
        let name = &self.name;
        Refusal::new(
            self.at(),
            format!("`{name}` takes {expected}"),
            "",
            format!("write `{name} = {example}`"),
        )
        .by("wrong-type")
    }

    fn literal(&self, example: &str) -> Result<LitStr, Refusal> {
        syn::parse2(self.value.clone()).map_err(|_| self.wrong("a text in quotes", example))
    }

    fn text(&self) -> Result<Given<String>, Refusal> {
        Ok(self.given(self.literal("\"refund-order\"")?.value()))
    }

    fn workflow(&self) -> Result<Given<String>, Refusal> {
        let name = self.text()?;
        if is_kebab(&name.value) {
            return Ok(name);
        }
        Err(Refusal::new(
            self.at(),
            format!("`{}` cannot be a workflow's name", name.value),
            "the name is part of every stored key, of file names and of metrics",
            "write lower-case words of letters and digits joined by single hyphens, 64 bytes at most, such as `refund-order`",
        )
        .by("invalid-value"))
    }

    fn positive(&self) -> Result<Given<u32>, Refusal> {
        let example = match self.name.to_string().as_str() {
            "max_attempts" => "5",
            _ => "1",
        };
        syn::parse2::<LitInt>(self.value.clone())
            .ok()
            .and_then(|number| number.base10_parse::<u32>().ok())
            .filter(|number| *number > 0)
            .map(|number| self.given(number))
            .ok_or_else(|| self.wrong("a whole number above zero", example))
    }

    fn duration(&self) -> Result<Given<u64>, Refusal> {
        let text = self.literal("\"30s\"")?.value();
        match millis(&text) {
            Some(ms) if ms > 0 => Ok(self.given(ms)),
            _ => Err(self.wrong(
                "a duration above zero: integers and units (`ms`, `s`, `m`, `h`, `d`, `w`)",
                "\"30s\"",
            )),
        }
    }

    fn window(&self) -> Result<Given<Forget>, Refusal> {
        if self.literal("\"30d\"")?.value() == "forever" {
            return Ok(self.given(Forget::Never));
        }
        let ms = self.duration().map_err(|_| {
            self.wrong(
                "a duration above zero (`\"30d\"`) or `\"forever\"`",
                "\"30d\"",
            )
        })?;
        Ok(self.given(Forget::After(ms.value)))
    }

    fn mode(&self) -> Result<Given<Mode>, Refusal> {
        match self.literal("\"leased\"")?.value().as_str() {
            "fused" => Ok(self.given(Mode::Fused)),
            "leased" => Ok(self.given(Mode::Leased)),
            _ => Err(self
                .wrong("`\"fused\"` or `\"leased\"`", "\"leased\"")
                .by("unknown-value")),
        }
    }

    fn path(&self) -> Result<syn::Path, Refusal> {
        syn::Path::parse_mod_style
            .parse2(self.value.clone())
            .map_err(|_| {
                self.wrong(
                    "the path by which this crate reaches idem",
                    "::my_facade::idem",
                )
            })
    }

    fn ident(&self) -> Result<Ident, Refusal> {
        syn::parse2(self.value.clone()).map_err(|_| self.wrong("the name of an argument", "event"))
    }

    fn key(&self) -> Result<KeyArg, Refusal> {
        let parts = self.parts("(event.tenant_id, event.refund_id)")?;
        Ok(KeyArg {
            parts,
            at: self.at(),
        })
    }

    fn hash(&self) -> Result<HashArg, Refusal> {
        let name = self.name.span();
        if let Ok(text) = syn::parse2::<LitStr>(self.value.clone()) {
            return if text.value() == "none" {
                let fields = Vec::new();
                Ok(HashArg { fields, name })
            } else {
                Err(self.wrong(
                    "fields in parentheses, or `\"none\"`",
                    "(event.order_id, event.amount)",
                ))
            };
        }
        let fields = self.parts("(event.order_id, event.amount)")?;
        Ok(HashArg { fields, name })
    }

    fn probe(&self) -> Result<ProbeArg, Refusal> {
        Ok(ProbeArg {
            probes: self.parts("find_pickup")?,
            name: self.name.span(),
        })
    }

    /// `(a, b)`, `(a)` and `a` are lists of two, one and one.
    fn parts(&self, example: &str) -> Result<Vec<Expr>, Refusal> {
        let name = &self.name;
        let expr: Expr = syn::parse2(self.value.clone()).map_err(|error| {
            let at_end = error.to_string().starts_with("unexpected end of input");
            Refusal::new(
                if at_end {
                    self.at()
                } else {
                    At::span(error.span())
                },
                format!("this part of `{name}` is not a Rust expression: {error}"),
                "",
                format!("write `{name} = {example}`"),
            )
            .by("invalid-syntax")
        })?;
        Ok(match expr {
            Expr::Tuple(tuple) => tuple.elems.into_iter().collect(),
            Expr::Paren(paren) => vec![*paren.expr],
            other => vec![other],
        })
    }
}

fn malformed(at: At) -> Refusal {
    Refusal::new(
        at,
        "this is not an argument of `#[idempotent]`",
        "",
        "write `contract = \"…\"` and, unless the contract's key is to be taken as it is, `key = (…)`",
    )
    .by("invalid-syntax")
}

fn split(tokens: TokenStream) -> Vec<TokenStream> {
    let mut chunks = vec![TokenStream::new()];
    for token in tokens {
        match (&token, chunks.last_mut()) {
            (TokenTree::Punct(punct), _) if punct.as_char() == ',' => {
                chunks.push(TokenStream::new())
            }
            (_, Some(chunk)) => chunk.extend([token]),
            (_, None) => {}
        }
    }
    chunks.retain(|chunk| !chunk.is_empty());
    chunks
}

fn is_kebab(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name.split('-').all(|word| {
            !word.is_empty()
                && word
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        })
}

/// `1d12h` in milliseconds.
fn millis(text: &str) -> Option<u64> {
    let mut total: u64 = 0;
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (number, tail) = rest.split_at(digits);
        let letters = tail.bytes().take_while(u8::is_ascii_lowercase).count();
        let (unit, tail) = tail.split_at(letters);
        let unit: u64 = match unit {
            "ms" => 1,
            "s" => 1_000,
            "m" => 60_000,
            "h" => 3_600_000,
            "d" => 86_400_000,
            "w" => 604_800_000,
            _ => return None,
        };
        total = total.checked_add(number.parse::<u64>().ok()?.checked_mul(unit)?)?;
        rest = tail;
    }
    (total > 0).then_some(total)
}
