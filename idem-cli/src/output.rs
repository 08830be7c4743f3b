//! What the findings of a run look like. A format is one file here and one entry in [`ALL`].

use std::io::{self, Write};

use crate::engine::Report;

mod concise;
mod human;
mod json;
mod text;

pub(crate) use text::count;

/// One way to write a report.
#[derive(Debug)]
pub(crate) struct Format {
    /// Its name on the command line.
    pub(crate) name: &'static str,
    /// What it is, for the help text.
    pub(crate) about: &'static str,
    /// Writes the whole report.
    pub(crate) write: fn(&Report, &Look, &mut dyn Write) -> io::Result<()>,
}

/// How a report should look where a format leaves a choice.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Look {
    /// Whether colours are wanted.
    pub(crate) colour: bool,
    /// Whether warnings fail too.
    pub(crate) strict: bool,
}

/// Every format; the first is the default.
pub(crate) static ALL: &[Format] = &[human::HUMAN, concise::CONCISE, json::JSON];

/// The format of that name.
pub(crate) fn find(name: &str) -> Option<&'static Format> {
    ALL.iter().find(|format| format.name == name)
}

#[cfg(test)]
mod tests;
