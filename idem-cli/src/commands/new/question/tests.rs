//! A person who answers from a list.

use std::collections::VecDeque;

use super::super::ask::Ask;
use super::super::{Args, render};
use super::{ask_missing, refuse_missing};
use crate::problem::Problem;

/// Answers in their order. A choice is answered with the word of the option, a confirmation with
/// `yes` or `no`, and a text with `=` for what is suggested.
struct Person {
    answers: VecDeque<&'static str>,
    asked: Vec<String>,
}

impl Person {
    fn next(&mut self, question: &str) -> Result<&'static str, Problem> {
        self.asked.push(question.to_owned());
        self.answers
            .pop_front()
            .ok_or_else(|| Problem::new(format!("nobody said what to answer to: {question}")))
    }
}

impl Ask for Person {
    fn text(&mut self, question: &str, _: &str, default: Option<&str>) -> Result<String, Problem> {
        Ok(match self.next(question)? {
            "=" => default
                .ok_or_else(|| Problem::new(format!("nothing is suggested for: {question}")))?
                .to_owned(),
            answer => answer.to_owned(),
        })
    }

    fn choose(&mut self, question: &str, options: &[(&str, &str)]) -> Result<usize, Problem> {
        let answer = self.next(question)?;
        options
            .iter()
            .position(|(word, _)| *word == answer)
            .ok_or_else(|| Problem::new(format!("{question} does not offer {answer}")))
    }

    fn confirm(&mut self, question: &str) -> Result<bool, Problem> {
        Ok(self.next(question)? == "yes")
    }
}

fn interview(args: &mut Args, answers: &[&'static str]) -> Result<Vec<String>, Problem> {
    let mut person = Person {
        answers: answers.iter().copied().collect(),
        asked: Vec::new(),
    };
    ask_missing(args, &mut person)?;
    assert!(person.answers.is_empty(), "not asked: {:?}", person.answers);
    Ok(person.asked)
}

const ANSWERS: &[&str] = &[
    "queue",
    "team-desk",
    "Book a parcel once.",
    "",
    "3d",
    // Fields: name, type, origin, may it be missing, is it personal.
    "tenant_id",
    "string",
    "authenticated",
    "no",
    "no",
    "parcel_id",
    "uuid",
    "source-id",
    "no",
    "no",
    "service",
    "enum",
    "slow,fast",
    "-",
    "no",
    "no",
    "remark",
    "string",
    "-",
    "yes",
    "yes",
    "",
    "=",
    "=",
    // Effects.
    "parcels",
    "local",
    "insert",
    "label",
    "irreversible",
    "",
    "",
    "=",
    "=",
    "=",
    "=",
    "#parcels",
    "=",
];

#[test]
fn a_person_is_asked_for_every_decision_and_the_answers_are_written_down() {
    let mut args = Args {
        workflow: "book-parcel".to_owned(),
        ..Args::default()
    };
    let asked = interview(&mut args, ANSWERS).expect("an answer to every question");
    assert_eq!(asked.first().map(String::as_str), Some("What starts it?"));
    let text = render(&args).expect("a contract");
    for line in [
        "kind = \"queue\"",
        "redelivers_for = \"3d\"",
        "parcel_id = { type = \"uuid\", origin = \"source-id\" }",
        "service = { type = \"enum\", values = [\"slow\", \"fast\"] }",
        "remark = { type = \"string\", required = false, personal = true }",
        // Suggested: the tenant, and what the source calls the event.
        "fields = [\"tenant_id\", \"parcel_id\"]",
        "hash = \"all\"",
        "change = \"insert\"",
        "on_ambiguous = \"dead-letter\"",
        "owner = \"team-desk\"",
        "lease = \"30s\"",
    ] {
        assert!(text.contains(&format!("\n{line}\n")), "{line}\n{text}");
    }
}

#[test]
fn what_an_option_has_said_is_not_asked_again() {
    let mut args = Args {
        workflow: "book-parcel".to_owned(),
        ..Args::default()
    };
    interview(&mut args, ANSWERS).expect("an answer to every question");
    assert_eq!(interview(&mut args, &[]).expect("no question"), [""; 0]);
    args.lease = None;
    assert_eq!(interview(&mut args, &["="]).expect("one question").len(), 1);
}

#[test]
fn a_source_whose_horizon_is_documented_needs_none_from_the_author() {
    let known = idem_contract::sources::ALL
        .iter()
        .find(|source| source.redelivers_for.is_some())
        .expect("a source with a documented horizon");
    let mut args = Args {
        kind: Some(idem_contract::TriggerKind::Webhook),
        ..Args::default()
    };
    let missing = |args: &Args| {
        refuse_missing(args).map_or_else(
            |problem| problem.render(&annotate_snippets::Renderer::plain()),
            |()| String::new(),
        )
    };
    assert!(missing(&args).contains("--redelivers-for"));
    args.source = Some(known.name.to_owned());
    assert!(!missing(&args).contains("--redelivers-for"));
}

#[test]
fn an_interview_that_stops_says_so() {
    let mut args = Args::default();
    assert!(interview(&mut args, &["webhook", "team"]).is_err());
}
