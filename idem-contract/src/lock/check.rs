//! Contracts against the lockfile: what happens to keys that are stored by now.

use super::{Lock, Locked};
use crate::{
    Contract, Diagnostic, Findings, Group, Related, Rule, Setting, Span, Window, is_silenced, rules,
};

/// Compares contracts with the lockfile. `lock` is `None` where there is no lockfile; `lock_file`
/// is what it is called in second labels; `contracts` are all contracts of the project with their
/// files' names; `today` is days since 1970-01-01 (UTC), for `[[allow]]`.
///
/// The number of a finding is the place of its contract in `contracts`; `None` for a finding about
/// the lockfile itself, whose span is then in its text. A contract whose recipe could not be read
/// is not compared: the parser has spoken.
#[must_use]
pub fn check(
    lock: Option<&Lock>,
    lock_file: &str,
    contracts: &[(&str, &Contract)],
    today: i32,
) -> Vec<(Option<usize>, Diagnostic)> {
    let mut checker = Checker {
        lock_file,
        out: Vec::new(),
    };
    let Some(lock) = lock else {
        if !contracts.is_empty() {
            checker
                .report(&rules::STALE_LOCK, None, Span::default(), "")
                .message = "there is no lockfile".to_owned();
        }
        return checker.out;
    };
    let now: Vec<Option<Locked>> = (contracts.iter())
        .map(|(_, contract)| Locked::of(contract))
        .collect();
    let mut gone: Vec<&Locked> = (lock.workflows.iter())
        .filter(|locked| {
            !(contracts.iter()).any(|(_, contract)| contract.workflow.get() == Some(&locked.name))
        })
        .collect();
    for (at, (_, contract)) in contracts.iter().enumerate() {
        let Some(now) = &now[at] else {
            continue;
        };
        match lock.find(&now.name) {
            Some(before) => checker.compare(at, contract, before, now),
            None => {
                let same = gone.iter().position(|before| {
                    !now.key.is_empty()
                        && before.key == now.key
                        && before.hash == now.hash
                        && before.consumer == now.consumer
                });
                match same {
                    Some(same) => checker.renamed(at, contract, gone.remove(same), now),
                    None => {
                        let finding = checker.report(
                            &rules::STALE_LOCK,
                            Some(at),
                            contract.anchor(),
                            "workflow",
                        );
                        finding.message = format!("the lockfile has no entry for `{}`", now.name);
                    }
                }
            }
        }
    }
    for before in gone {
        checker
            .report(&rules::STALE_LOCK, None, before.span, "workflow")
            .message = format!("`{}` has no contract any more", before.name);
    }
    let mut out = checker.out;
    out.retain(|(at, finding)| at.is_none_or(|at| !is_silenced(contracts[at].1, today, finding)));
    out.sort_by(|(a, x), (b, y)| (a, x.span, x.rule).cmp(&(b, y.span, y.rule)));
    out
}

struct Checker<'a> {
    lock_file: &'a str,
    out: Vec<(Option<usize>, Diagnostic)>,
}

impl Checker<'_> {
    /// A finding with the words that fit `stale-lock`; other rules replace them.
    fn report(
        &mut self,
        rule: &'static Rule,
        at: Option<usize>,
        span: Span,
        path: &str,
    ) -> &mut Diagnostic {
        let mut found = Vec::with_capacity(1);
        Findings::new(rule, &mut found).report(
            span,
            path,
            "",
            "the lockfile is the only memory of what stored keys are made of",
            "run `idem lock` and commit the result",
        );
        self.out
            .extend(found.into_iter().map(|finding| (at, finding)));
        let last = self.out.len() - 1;
        &mut self.out[last].1
    }

    fn locked_here(&self, before: &Locked, message: String) -> Related {
        Related {
            file: Some(self.lock_file.to_owned()),
            span: before.span,
            message,
        }
    }

    fn compare(&mut self, at: usize, contract: &Contract, before: &Locked, now: &Locked) {
        let from = self.out.len();
        if !before.has_key_of(now) {
            self.key(at, contract, before, now);
        }
        if before.hash != now.hash && now.version <= before.version {
            let locked =
                self.locked_here(before, format!("hashed until now: {}", names(&before.hash)));
            let span = contract.request.hash.span();
            let finding = self.report(
                &rules::HASH_RECIPE_CHANGED,
                Some(at),
                span.unwrap_or_else(|| contract.table_anchor(contract.request.header)),
                "request.hash",
            );
            finding.message = format!("the request hash now covers {}", names(&now.hash));
            finding.why = "stored digests were made by the old recipe: honest retries differ from them and are refused".to_owned();
            finding.help = format!(
                "write `version = {}` and a `[[key.previous]]` for version {}",
                before.version.saturating_add(1),
                before.version
            );
            finding.related.push(locked);
        }
        if is_shorter(now.window, before.window) {
            let locked = self.locked_here(before, "promised until now".to_owned());
            let span = contract.claim.window.span();
            let finding = self.report(
                &rules::WINDOW_SHORTENED,
                Some(at),
                span.unwrap_or_else(|| contract.table_anchor(contract.claim.header)),
                "claim.window",
            );
            finding.message =
                "finished keys are forgotten sooner than the lockfile says".to_owned();
            finding.why =
                "a retry that was safe when it was promised is done a second time".to_owned();
            finding.help =
                "keep the longer window, or wait it out before you run `idem lock`".to_owned();
            finding.related.push(locked);
        }
        if self.out.len() == from && before != now {
            let finding = self.report(&rules::STALE_LOCK, Some(at), contract.anchor(), "workflow");
            finding.message = format!("the lockfile says something else of `{}`", now.name);
        }
    }

    /// The key's text has changed. It may, under a new version that still finds the old rows.
    fn key(&mut self, at: usize, contract: &Contract, before: &Locked, now: &Locked) {
        let overlap = contract.key.previous.iter().any(|previous| {
            previous.version.get() == Some(&before.version)
                && (previous.fields.get()).is_some_and(|fields| {
                    fields
                        .iter()
                        .map(|field| &field.value)
                        .eq(before.key.iter().map(|field| &field.name))
                })
        });
        let same_consumer = before.consumer == now.consumer;
        if now.version > before.version && overlap && same_consumer {
            return;
        }
        let unread = |setting: &Setting<u32>| matches!(setting, Setting::Unreadable(_));
        if contract
            .key
            .previous
            .iter()
            .any(|previous| unread(&previous.version))
        {
            return;
        }
        let version = before.version;
        let (span, what, help) = if !same_consumer {
            (
                contract.trigger.consumer.span(),
                "the consumer is part of every stored key, and has changed".to_owned(),
                match &before.consumer {
                    Some(consumer) => format!("write `consumer = \"{consumer}\"` again"),
                    None => "take `consumer` out again".to_owned(),
                },
            )
        } else if before.key == now.key && now.version < version {
            (
                contract.version.span(),
                format!("version {} was followed by version {version}", now.version),
                format!("write `version = {version}`, or a higher one"),
            )
        } else {
            let what = if before.key == now.key {
                format!(
                    "version {} makes other keys than version {version}",
                    now.version
                )
            } else {
                format!("the key is now made of {}", names(&now.key))
            };
            let fields: Vec<String> = before
                .key
                .iter()
                .map(|field| format!("\"{}\"", field.name))
                .collect();
            let overlap_text = format!(
                "`[[key.previous]]` with `version = {version}`, `fields = [{}]` and an `until` behind the last retry",
                fields.join(", ")
            );
            let help = match (now.version > version, overlap) {
                (true, _) => format!("write {overlap_text}"),
                (false, true) => format!("write `version = {}`", version.saturating_add(1)),
                (false, false) => {
                    format!(
                        "write `version = {}` and {overlap_text}",
                        version.saturating_add(1)
                    )
                }
            };
            let span = if before.key == now.key {
                contract.version.span()
            } else {
                contract.key.fields.span()
            };
            (span, what, help)
        };
        let locked = self.locked_here(
            before,
            format!(
                "stored until now: version {version} of {}",
                names(&before.key)
            ),
        );
        let finding = self.report(
            &rules::KEY_RECIPE_CHANGED,
            Some(at),
            span.unwrap_or_else(|| contract.anchor()),
            "key.fields",
        );
        finding.message = what;
        finding.why =
            "a retry that began before the change computes another key, finds no row and does the work again"
                .to_owned();
        finding.help = help;
        finding.related.push(locked);
    }

    fn renamed(&mut self, at: usize, contract: &Contract, before: &Locked, now: &Locked) {
        let locked = self.locked_here(before, "its name until now".to_owned());
        let finding = self.report(
            &rules::WORKFLOW_RENAMED,
            Some(at),
            contract.anchor(),
            "workflow",
        );
        finding.message = format!("`{}` was called `{}`", now.name, before.name);
        finding.why =
            "the name is part of every stored key: under the new one no retry finds its row"
                .to_owned();
        finding.help = format!(
            "keep `workflow = \"{}\"`, or let the old one run out beside it before you run `idem lock`",
            before.name
        );
        finding.related.push(locked);
    }
}

fn names(fields: &[super::LockedField]) -> String {
    if fields.is_empty() {
        return "nothing".to_owned();
    }
    let names: Vec<String> = (fields.iter())
        .map(|field| format!("`{}` ({})", field.name, field.kind))
        .collect();
    names.join(", ")
}

fn is_shorter(now: Option<Window>, before: Option<Window>) -> bool {
    match (now, before) {
        (Some(Window::For(now)), Some(Window::For(before))) => now < before,
        (Some(Window::For(_)), Some(Window::Forever)) => true,
        (Some(Window::Forever) | None, _) | (Some(Window::For(_)), None) => false,
    }
}

/// Turns safe fixes that change a key, its scope or the workflow's name into ones to ask about,
/// where the lockfile has the workflow: its keys are stored by now.
pub fn ask_when_locked(lock: &Lock, contract: &Contract, diagnostics: &mut [Diagnostic]) {
    let is_locked = contract
        .workflow
        .get()
        .is_some_and(|name| lock.find(name).is_some());
    if !is_locked {
        return;
    }
    let key = [
        contract.workflow.span(),
        contract.version.span(),
        contract.trigger.consumer.span(),
        contract.key.fields.span(),
        contract.key.tenant.span(),
    ];
    for finding in diagnostics {
        let by_rule = rules::find(finding.rule)
            .is_some_and(|rule| matches!(rule.group, Group::Key | Group::Scope));
        let Some(fix) = &mut finding.fix else {
            continue;
        };
        let touches_key = fix.edits.iter().any(|edit| {
            (key.iter().flatten())
                .any(|span| edit.span.start <= span.end && span.start <= edit.span.end)
        });
        fix.safe &= !(by_rule || touches_key);
    }
}
