//! `file:line:column: severity[rule] message`, one line a finding.

use super::{Format, text};

pub(super) const CONCISE: Format = Format {
    name: "concise",
    about: "one line a finding: `file:line:column: severity[rule] message`",
    write: |report, _, out| {
        for file in &report.files {
            let index = file.index();
            for finding in &file.diagnostics {
                let start = index.position(finding.span.start);
                writeln!(
                    out,
                    "{}:{}:{}: {}[{}] {}",
                    file.shown,
                    start.line,
                    start.column,
                    finding.severity.as_str(),
                    finding.rule,
                    text::line(&finding.message),
                )?;
            }
        }
        Ok(())
    },
};
