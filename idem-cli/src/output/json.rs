//! One JSON object, version 1: summary and diagnostics.

use std::io::{self, Write};

use idem_contract::{Diagnostic, Edit, Fix, LineIndex, Related, Severity, Span};
use serde::Serialize;
use serde::ser::{SerializeMap, SerializeSeq, Serializer};

use super::Format;
use crate::engine::{FileReport, Report};

pub(super) const JSON: Format = Format {
    name: "json",
    about: "one object with everything that is known, version 1",
    write: |report, _, out| {
        write_json(report, out)?;
        out.write_all(b"\n")
    },
};

/// Where a rule's page is published.
fn url(rule: &str) -> String {
    format!("{}/rules/{rule}", env!("CARGO_PKG_REPOSITORY"))
}

fn write_json(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    #[derive(Serialize)]
    struct Whole<'a> {
        version: u8,
        summary: Summary,
        diagnostics: Diagnostics<'a>,
    }
    #[derive(Serialize)]
    struct Summary {
        files: usize,
        errors: usize,
        warnings: usize,
        infos: usize,
    }
    let whole = Whole {
        version: 1,
        summary: Summary {
            files: report.linted,
            errors: report.count(Severity::Error),
            warnings: report.count(Severity::Warn),
            infos: report.count(Severity::Info),
        },
        diagnostics: Diagnostics(report),
    };
    serde_json::to_writer(out, &whole).map_err(io::Error::from)
}

struct Diagnostics<'a>(&'a Report);

impl Serialize for Diagnostics<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        for file in &self.0.files {
            let index = file.index();
            for finding in &file.diagnostics {
                list.serialize_element(&Finding {
                    report: self.0,
                    file,
                    index: &index,
                    finding,
                })?;
            }
        }
        list.end()
    }
}

struct Finding<'a> {
    report: &'a Report,
    file: &'a FileReport,
    index: &'a LineIndex<'a>,
    finding: &'a Diagnostic,
}

impl Serialize for Finding<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let finding = self.finding;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("rule", finding.rule)?;
        map.serialize_entry("severity", finding.severity.as_str())?;
        map.serialize_entry("file", &self.file.shown)?;
        map.serialize_entry("span", &Place::of(finding.span, self.index))?;
        map.serialize_entry("message", &finding.message)?;
        map.serialize_entry("why", &finding.why)?;
        map.serialize_entry("help", &finding.help)?;
        if !finding.related.is_empty() {
            let related: Vec<_> = finding
                .related
                .iter()
                .map(|related| self.related(related))
                .collect();
            map.serialize_entry("related", &related)?;
        }
        if let Some(fix) = &finding.fix {
            map.serialize_entry("fix", &Repair::of(fix))?;
        }
        map.serialize_entry("url", &url(finding.rule))?;
        map.end()
    }
}

impl<'a> Finding<'a> {
    fn related(&self, related: &'a Related) -> Second<'a> {
        let elsewhere = related.file.as_deref();
        Second {
            file: elsewhere.unwrap_or(&self.file.shown),
            span: match elsewhere {
                None => Place::of(related.span, self.index),
                Some(file) => Place::of(related.span, &LineIndex::new(self.report.source_of(file))),
            },
            message: &related.message,
        }
    }
}

#[derive(Serialize)]
struct Second<'a> {
    file: &'a str,
    span: Place,
    message: &'a str,
}

#[derive(Serialize)]
struct Place {
    start: Point,
    end: Point,
}

#[derive(Serialize)]
struct Point {
    line: usize,
    column: usize,
    offset: usize,
}

impl Place {
    fn of(span: Span, index: &LineIndex<'_>) -> Self {
        let point = |offset| {
            let position = index.position(offset);
            Point {
                line: position.line,
                column: position.column,
                offset,
            }
        };
        Self {
            start: point(span.start),
            end: point(span.end),
        }
    }
}

#[derive(Serialize)]
struct Repair<'a> {
    safe: bool,
    edits: Vec<Replacement<'a>>,
}

#[derive(Serialize)]
struct Replacement<'a> {
    start: usize,
    end: usize,
    text: &'a str,
}

impl<'a> Repair<'a> {
    fn of(fix: &'a Fix) -> Self {
        Self {
            safe: fix.safe,
            edits: fix
                .edits
                .iter()
                .map(|Edit { span, text }| Replacement {
                    start: span.start,
                    end: span.end,
                    text,
                })
                .collect(),
        }
    }
}
