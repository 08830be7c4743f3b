//! Where a command reads and writes.

use std::env;
use std::io::{self, IsTerminal, Read, Write};
use std::path::PathBuf;

use annotate_snippets::Renderer;
use anstream::stream::RawStream;
use anstream::{AutoStream, ColorChoice};

use crate::args::When;
use crate::problem::Problems;

/// Standard input, output and error of one run, and the folder it runs in.
pub struct Console {
    /// The working directory: relative paths start here, and shown paths are relative to it.
    pub cwd: PathBuf,
    /// Standard input.
    pub stdin: Box<dyn Read>,
    /// Results.
    pub out: Box<dyn Write>,
    /// Problems of the run itself.
    pub err: Box<dyn Write>,
    /// Whether results may be coloured.
    pub colour_out: bool,
    /// Whether problems may be coloured.
    pub colour_err: bool,
    /// Whether a person reads the results.
    pub watched: bool,
    /// Whether a person sits at both ends and may be asked.
    pub interactive: bool,
}

impl Console {
    /// The process's own streams.
    ///
    /// # Errors
    ///
    /// When the working directory cannot be told.
    pub fn of_the_process(color: When) -> io::Result<Self> {
        let colour_out = wants_colour(&io::stdout(), color);
        let colour_err = wants_colour(&io::stderr(), color);
        let watched = io::stdout().is_terminal();
        let interactive = watched && io::stdin().is_terminal();
        // Text without colour goes out as it is: there is nothing to strip from it.
        let out: Box<dyn Write> = if colour_out {
            Box::new(AutoStream::always(io::stdout()))
        } else {
            Box::new(io::stdout())
        };
        let err: Box<dyn Write> = if colour_err {
            Box::new(AutoStream::always(io::stderr()))
        } else {
            Box::new(io::stderr())
        };
        Ok(Self {
            cwd: env::current_dir()?,
            stdin: Box::new(io::stdin()),
            out: Box::new(io::BufWriter::with_capacity(64 * 1024, out)),
            err,
            colour_out,
            colour_err,
            watched,
            interactive,
        })
    }

    /// Hands on everything written so far.
    ///
    /// # Errors
    ///
    /// When standard output cannot be written.
    pub fn flush(&mut self) -> Result<(), Problems> {
        Ok(self.out.flush()?)
    }

    /// Says what to do next, to a person: whatever else reads the results wants nothing but them.
    ///
    /// # Errors
    ///
    /// When standard output cannot be written.
    pub fn hint(&mut self, text: &str) -> Result<(), Problems> {
        if self.watched {
            writeln!(self.out, "\n{text}")?;
        }
        Ok(())
    }

    /// Prints problems of the run itself.
    pub fn report(&mut self, problems: &Problems) {
        let renderer = renderer(self.colour_err);
        let texts: Vec<_> = problems
            .iter()
            .map(|problem| problem.render(&renderer))
            .collect();
        if !texts.is_empty() {
            // There is nowhere left to complain about a standard error that cannot be written.
            let _ = writeln!(self.err, "{}", texts.join("\n\n"));
        }
    }
}

fn wants_colour<S: RawStream>(stream: &S, when: When) -> bool {
    match when {
        When::Auto => AutoStream::choice(stream) != ColorChoice::Never,
        When::Always => true,
        When::Never => false,
    }
}

/// Draws findings and problems alike.
pub(crate) fn renderer(colour: bool) -> Renderer {
    if colour {
        Renderer::styled()
    } else {
        Renderer::plain()
    }
}
