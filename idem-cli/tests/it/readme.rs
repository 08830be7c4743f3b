//! Every `idem` command that the README tells people to type is one that the command line takes.

use clap::Parser as _;
use idem_cli::Cli;

const README: &str = include_str!("../../../README.md");

/// The `idem …` lines of the `sh` blocks, continued lines joined, comments cut off.
fn commands() -> Vec<Vec<String>> {
    let mut commands = Vec::new();
    for block in README.split("```sh\n").skip(1) {
        let block = block.split("```").next().unwrap_or_default();
        for line in block.replace("\\\n", " ").lines() {
            let words = words(line);
            if words.first().is_some_and(|word| word == "idem") {
                commands.push(words);
            }
        }
    }
    commands
}

/// A line as a shell splits it: at white space outside quotes, up to a comment.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '#' && word.is_none() => break,
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[test]
fn every_command_of_the_readme_is_taken() {
    let commands = commands();
    assert!(
        commands.len() > 8,
        "the README names its commands: {commands:?}"
    );
    for words in commands {
        let parsed = Cli::try_parse_from(&words);
        assert!(
            parsed.is_ok(),
            "{}: {}",
            words.join(" "),
            parsed
                .err()
                .map_or_else(String::new, |error| error.to_string())
        );
    }
}

#[test]
fn a_line_is_split_as_a_shell_splits_it() {
    assert_eq!(
        words("idem new  x --channel \"#a b\" '' # why"),
        ["idem", "new", "x", "--channel", "#a b", ""]
    );
}
