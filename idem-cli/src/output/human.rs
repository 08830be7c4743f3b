//! Findings drawn as rustc draws them.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::{self, Write};

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet, normalize_untrusted_str};
use idem_contract::{Diagnostic, Severity};

use super::text::{self, count, readable, within};
use super::{Format, Look};
use crate::console::renderer;
use crate::engine::{FileReport, Report};

pub(super) const HUMAN: Format = Format {
    name: "human",
    about: "for reading: the text, the reason, what to write instead",
    write,
};

fn write(report: &Report, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    let renderer = renderer(look.colour);
    for file in &report.files {
        let text = readable(&file.source);
        for finding in &file.diagnostics {
            writeln!(out, "{}\n", draw(report, file, &text, finding, &renderer))?;
        }
    }
    summary(report, look, out)
}

fn draw(
    report: &Report,
    file: &FileReport,
    text: &str,
    finding: &Diagnostic,
    renderer: &Renderer,
) -> String {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warn => Level::WARNING,
        Severity::Info => Level::INFO,
    };
    let title = level
        .with_name(finding.severity.as_str())
        .primary_title(&finding.message)
        .id(finding.rule);
    let mut group = Group::with_title(title);
    let here = finding
        .related
        .iter()
        .filter(|related| related.file.is_none());
    let mut spans = vec![(within(text, finding.span), None)];
    spans.extend(here.map(|related| (within(text, related.span), Some(related.message.as_str()))));
    group = group.element(snippet(&file.shown, text, &spans, true));
    for related in &finding.related {
        if let Some(other) = &related.file {
            let text = readable(report.source_of(other)).into_owned();
            let span = within(&text, related.span);
            group = group.element(snippet(
                other,
                &text,
                &[(span, Some(related.message.as_str()))],
                false,
            ));
        }
    }
    let note = |name, text: &str| {
        Level::NOTE
            .with_name(name)
            .message(normalize_untrusted_str(text))
    };
    group = group.element(note("why", &finding.why));
    if !finding.interleaving.is_empty() {
        group = group.element(note("race", &finding.interleaving.join("\n")));
    }
    group = group.element(Level::HELP.message(normalize_untrusted_str(&finding.help)));
    renderer.render(&[group])
}

/// The lines of `text` from the first to the last that is pointed at: drawing costs time by the line.
fn snippet<'a>(
    file: &'a str,
    text: &str,
    spans: &[(std::ops::Range<usize>, Option<&'a str>)],
    primary: bool,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let first = spans.iter().map(|(span, _)| span.start).min().unwrap_or(0);
    let last = spans.iter().map(|(span, _)| span.end).max().unwrap_or(0);
    let start = text[..first].rfind('\n').map_or(0, |at| at + 1);
    let end = text[last..]
        .find('\n')
        .map_or(text.len(), |at| last + at + 1);
    // A byte-order mark is no column.
    let mark = if start == 0 && text.starts_with('\u{feff}') {
        '\u{feff}'.len_utf8()
    } else {
        0
    };
    let line = 1 + text[..start].bytes().filter(|byte| *byte == b'\n').count();
    let start = start + mark;
    let window: Cow<'a, str> = Cow::Owned(text[start..end.max(start)].to_owned());
    Snippet::source(window)
        .path(file)
        .line_start(line)
        .annotations(spans.iter().enumerate().map(|(number, (span, label))| {
            let kind = if primary && number == 0 {
                AnnotationKind::Primary
            } else {
                AnnotationKind::Context
            };
            kind.span(span.start.saturating_sub(start)..span.end.saturating_sub(start))
                .label(label.map(|label| text::line(label).into_owned()))
        }))
}

fn summary(report: &Report, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    let rules: BTreeSet<_> = report
        .files
        .iter()
        .flat_map(|file| &file.diagnostics)
        .map(|finding| finding.rule)
        .collect();
    let mut counts = Vec::new();
    for (severity, one) in [
        (Severity::Error, "error"),
        (Severity::Warn, "warning"),
        (Severity::Info, "info"),
    ] {
        let number = report.count(severity);
        if number > 0 {
            counts.push(count(number, one));
        }
    }
    if report.linted == 0 {
        return writeln!(out, "nothing was linted");
    }
    let contracts = count(report.linted, "contract");
    if counts.is_empty() {
        return writeln!(out, "{contracts}: no findings");
    }
    if let Some(first) = rules.first() {
        let example = if rules.len() == 1 { first } else { "<rule>" };
        writeln!(
            out,
            "`idem explain {example}` shows the whole page of a rule."
        )?;
    }
    let strict = if look.strict && report.count(Severity::Warn) > 0 {
        " (warnings fail: --strict)"
    } else {
        ""
    };
    writeln!(out, "{contracts}: {}{strict}", counts.join(", "))
}
