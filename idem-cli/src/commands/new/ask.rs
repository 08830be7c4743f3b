//! Questions on a terminal.

use inquire::validator::ValueRequiredValidator;
use inquire::{Confirm, InquireError, Select, Text};

use crate::problem::Problem;

/// Someone who can be asked.
pub(super) trait Ask {
    /// A line of text; `default` is taken for an empty answer, and without one there is none.
    fn text(
        &mut self,
        question: &str,
        help: &str,
        default: Option<&str>,
    ) -> Result<String, Problem>;

    /// One of several, each with what it means; the answer is its number.
    fn choose(&mut self, question: &str, options: &[(&str, &str)]) -> Result<usize, Problem>;

    /// Yes or no; an empty answer is no.
    fn confirm(&mut self, question: &str) -> Result<bool, Problem>;
}

/// The person at the terminal.
pub(super) struct Terminal;

impl Ask for Terminal {
    fn text(
        &mut self,
        question: &str,
        help: &str,
        default: Option<&str>,
    ) -> Result<String, Problem> {
        let prompt = Text::new(question).with_help_message(help);
        let prompt = match default {
            None => prompt.with_validator(ValueRequiredValidator::new("this one needs an answer")),
            Some("") => prompt,
            Some(default) => prompt.with_default(default),
        };
        prompt.prompt().map_err(stopped)
    }

    fn choose(&mut self, question: &str, options: &[(&str, &str)]) -> Result<usize, Problem> {
        let width = options
            .iter()
            .map(|(word, _)| word.len())
            .max()
            .unwrap_or(0);
        let lines = options
            .iter()
            .map(|(word, meaning)| format!("{word:width$}  {meaning}").trim_end().to_owned())
            .collect();
        Select::new(question, lines)
            .raw_prompt()
            .map(|answer| answer.index)
            .map_err(stopped)
    }

    fn confirm(&mut self, question: &str) -> Result<bool, Problem> {
        Confirm::new(question)
            .with_default(false)
            .prompt()
            .map_err(stopped)
    }
}

fn stopped(error: InquireError) -> Problem {
    Problem::new("stopped: nothing was written").why(error.to_string())
}
