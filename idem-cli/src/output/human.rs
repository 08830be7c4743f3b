//! Findings drawn as rustc draws them.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::ops::Range;

use annotate_snippets::{
    AnnotationKind, Group, Level, Origin, Renderer, Snippet, normalize_untrusted_str,
};
use idem_contract::{Diagnostic, LineIndex, Severity};

use super::text::{self, count, readable, within};
use super::{Format, Look};
use crate::console::renderer;
use crate::engine::Report;

pub(super) const HUMAN: Format = Format {
    name: "human",
    about: "for reading: the text, the reason, what to write instead",
    write,
};

fn write(report: &Report, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    let renderer = renderer(look.colour);
    for file in &report.files {
        let text = readable(&file.source);
        let page = Page::new(&file.shown, &text);
        for finding in &file.diagnostics {
            writeln!(out, "{}\n", draw(report, &page, finding, &renderer))?;
        }
    }
    summary(report, look, out)
}

fn draw(report: &Report, page: &Page<'_>, finding: &Diagnostic, renderer: &Renderer) -> String {
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
    let mut spans = vec![(within(page.text, finding.span), None)];
    spans.extend(here.map(|related| {
        let span = within(page.text, related.span);
        (span, Some(related.message.as_str()))
    }));
    group = page.point(group, &spans, true);
    for related in &finding.related {
        if let Some(other) = &related.file {
            let text = readable(report.source_of(other)).into_owned();
            let span = within(&text, related.span);
            let spans = [(span, Some(related.message.as_str()))];
            group = Page::new(other, &text).point(group, &spans, false);
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

/// The longest line and the longest text that are drawn under a finding, in bytes: drawing costs time
/// by the line, and tens of thousands of findings may lie on one.
const MAX_LINE: usize = 2048;
const MAX_DRAWN: usize = 65_536;

/// A file that findings point into.
struct Page<'t> {
    path: &'t str,
    text: &'t str,
    lines: LineIndex<'t>,
}

/// A part of a text, and what is said about it.
type Pointed<'a> = (Range<usize>, Option<&'a str>);

impl<'t> Page<'t> {
    fn new(path: &'t str, text: &'t str) -> Self {
        Self {
            path,
            text,
            lines: LineIndex::new(text.as_bytes()),
        }
    }

    /// Draws the lines from the first to the last that is pointed at; where they are too long to be
    /// read, only their place is named.
    fn point<'a>(&self, group: Group<'a>, spans: &[Pointed<'a>], primary: bool) -> Group<'a> {
        let first = spans.iter().map(|(span, _)| span.start).min().unwrap_or(0);
        let last = spans.iter().map(|(span, _)| span.end).max().unwrap_or(0);
        let start = self.text[..first].rfind('\n').map_or(0, |at| at + 1);
        let end = self.text[last..]
            .find('\n')
            .map_or(self.text.len(), |at| last + at + 1);
        let line = self.lines.position(start).line;
        let drawn = &self.text[start..end];
        if drawn.len() > MAX_DRAWN || drawn.lines().any(|line| line.len() > MAX_LINE) {
            let place = spans.first().map_or(first, |(span, _)| span.start);
            let place = self.lines.position(place);
            let origin = Origin::path(self.path.to_owned());
            return group.element(origin.line(place.line).char_column(place.column));
        }
        // A byte-order mark is no column.
        let mark = if start == 0 && self.text.starts_with('\u{feff}') {
            '\u{feff}'.len_utf8()
        } else {
            0
        };
        let start = start + mark;
        let window = self.text[start..end.max(start)].to_owned();
        group.element(
            Snippet::source(window)
                .path(self.path.to_owned())
                .line_start(line)
                .annotations(spans.iter().enumerate().map(|(number, (span, label))| {
                    let kind = if primary && number == 0 {
                        AnnotationKind::Primary
                    } else {
                        AnnotationKind::Context
                    };
                    kind.span(span.start.saturating_sub(start)..span.end.saturating_sub(start))
                        .label(label.map(|label| text::line(label).into_owned()))
                })),
        )
    }
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
