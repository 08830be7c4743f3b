//! What kept a run from being done: where, what, why, what to do.

use std::io;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet, normalize_untrusted_str};

/// Something that kept a command from being done.
#[derive(Clone, Debug)]
pub struct Problem(Box<Told>);

#[derive(Clone, Debug)]
struct Told {
    message: String,
    place: Option<Place>,
    why: Option<String>,
    help: Option<String>,
}

#[derive(Clone, Debug)]
struct Place {
    file: String,
    text: String,
    span: Range<usize>,
}

impl Problem {
    /// A problem, in one line without a full stop.
    pub fn new(message: impl Into<String>) -> Self {
        Self(Box::new(Told {
            message: message.into(),
            place: None,
            why: None,
            help: None,
        }))
    }

    /// No contract was found to `show`, `drill` and so on.
    pub fn no_contract(to_do: &str) -> Self {
        Self::new(format!(
            "nothing to {to_do}: there is no contract in the paths looked at"
        ))
        .help("`idem init` starts a project, `idem new <workflow>` writes a contract")
    }

    /// Points into the file it is about; `span` is bytes of `text`.
    #[must_use]
    pub fn at(mut self, file: impl Into<String>, text: &str, span: Range<usize>) -> Self {
        self.0.place = Some(Place {
            file: file.into(),
            text: text.to_owned(),
            span,
        });
        self
    }

    /// The cause.
    #[must_use]
    pub fn why(mut self, why: impl Into<String>) -> Self {
        self.0.why = Some(why.into());
        self
    }

    /// What to do about it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.0.help = Some(help.into());
        self
    }

    /// Where in its file it is; 0 without a place.
    pub(crate) fn place(&self) -> usize {
        self.0.place.as_ref().map_or(0, |place| place.span.start)
    }

    pub(crate) fn render(&self, renderer: &Renderer) -> String {
        let mut group = Group::with_title(Level::ERROR.primary_title(&self.0.message));
        if let Some(place) = &self.0.place {
            group = group.element(
                Snippet::source(&place.text)
                    .path(&place.file)
                    .annotation(AnnotationKind::Primary.span(place.span.clone())),
            );
        }
        if let Some(why) = &self.0.why {
            group = group.element(
                Level::NOTE
                    .with_name("why")
                    .message(normalize_untrusted_str(why)),
            );
        }
        if let Some(help) = &self.0.help {
            group = group.element(Level::HELP.message(normalize_untrusted_str(help)));
        }
        renderer.render(&[group])
    }
}

/// One problem or several.
#[derive(Clone, Debug, Default)]
pub struct Problems(Vec<Problem>);

impl Problems {
    /// Adds one.
    pub fn push(&mut self, problem: Problem) {
        self.0.push(problem);
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = &Problem> {
        self.0.iter()
    }
}

impl From<Vec<Problem>> for Problems {
    fn from(problems: Vec<Problem>) -> Self {
        Self(problems)
    }
}

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Self {
        Self(vec![problem])
    }
}

impl From<io::Error> for Problems {
    /// A failure to write results. A reader that went away (`idem lint | head`) wants no more text,
    /// so that one says nothing.
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::default();
        }
        Problem::new("cannot write to standard output")
            .why(error.to_string())
            .into()
    }
}
