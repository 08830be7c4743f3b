//! From the text of an `idem.toml` to its meaning. Every mistake is reported, each at its place.

use std::ops::Range;
use std::path::{Path, PathBuf};

use idem_contract::Severity;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Config, DEFAULT_CONTRACTS, Sql};
use crate::paths;
use crate::problem::{Problem, Problems};
use crate::selection::{Selection, Selector, always_speaks, rule};
use crate::suggest::nearest;

/// Reads `bytes`, the content of `file` (absolute).
pub(super) fn decode(cwd: &Path, file: &Path, bytes: &[u8]) -> Result<Config, Problems> {
    let name = paths::shown(cwd, file);
    let Ok(text) = str::from_utf8(bytes) else {
        return Err(Problem::new(format!("`{name}` is not UTF-8"))
            .help("save it as UTF-8")
            .into());
    };
    let (document, errors) = DeTable::parse_recoverable(text);
    let root = file.parent().unwrap_or(cwd).to_path_buf();
    let mut decoder = Decoder {
        name,
        text,
        root,
        problems: Vec::new(),
    };
    for error in &errors {
        let span = error.span().unwrap_or_default();
        decoder.problem(span, error.message().to_owned(), None);
    }
    if !errors.is_empty() {
        return Err(decoder.problems.into());
    }
    let config = decoder.config(document.get_ref());
    // Tables come by name, mistakes go out by place.
    decoder.problems.sort_by_key(Problem::place);
    if decoder.problems.is_empty() {
        Ok(config)
    } else {
        Err(decoder.problems.into())
    }
}

struct Decoder<'a> {
    name: String,
    text: &'a str,
    root: PathBuf,
    problems: Vec<Problem>,
}

impl Decoder<'_> {
    fn problem(&mut self, span: Range<usize>, message: String, help: Option<String>) {
        let mut problem = Problem::new(message).at(&self.name, self.text, span);
        if let Some(help) = help {
            problem = problem.help(help);
        }
        self.problems.push(problem);
    }

    fn unknown(&mut self, span: Range<usize>, place: &str, key: &str, known: &[&str]) {
        let help = match nearest(key, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("known here: {}", known.join(", ")),
        };
        self.problem(span, format!("unknown key `{key}` in {place}"), Some(help));
    }

    fn config(&mut self, table: &DeTable<'_>) -> Config {
        let mut config = Config {
            contracts: vec![self.root.join(DEFAULT_CONTRACTS)],
            exclude: Gitignore::empty(),
            lint: Selection::default(),
            per_file: Vec::new(),
            sql: Sql::default(),
            root: self.root.clone(),
        };
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "contracts" => {
                    config.contracts = self
                        .texts(value, "contracts")
                        .into_iter()
                        .map(|(folder, _)| paths::absolute(&self.root, Path::new(&folder)))
                        .collect();
                }
                "exclude" => config.exclude = self.patterns(value, "exclude"),
                "lint" => config.lint = self.lint(value),
                "per-file" => config.per_file = self.per_file(value),
                "sql" => config.sql = self.sql(value),
                other => self.unknown(
                    key.span(),
                    "idem.toml",
                    other,
                    &["contracts", "exclude", "lint", "per-file", "sql"],
                ),
            }
        }
        config
    }

    fn table<'v, 'i>(
        &mut self,
        value: &'v Spanned<DeValue<'i>>,
        what: &str,
    ) -> Option<&'v DeTable<'i>> {
        let table = value.get_ref().as_table();
        if table.is_none() {
            self.wrong_type(value, what, "a table");
        }
        table
    }

    fn wrong_type(&mut self, value: &Spanned<DeValue<'_>>, what: &str, wanted: &str) {
        let found = value.get_ref().type_str();
        self.problem(
            value.span(),
            format!("`{what}` must be {wanted}, and this is of type {found}"),
            None,
        );
    }

    fn text(&mut self, value: &Spanned<DeValue<'_>>, what: &str) -> Option<String> {
        let text = value.get_ref().as_str().map(str::to_owned);
        if text.is_none() {
            self.wrong_type(value, what, "text");
        }
        text
    }

    /// A text or a list of texts, each with its place.
    fn texts(&mut self, value: &Spanned<DeValue<'_>>, what: &str) -> Vec<(String, Range<usize>)> {
        if let Some(one) = value.get_ref().as_str() {
            return vec![(one.to_owned(), value.span())];
        }
        let Some(list) = value.get_ref().as_array() else {
            self.wrong_type(value, what, "text or a list of texts");
            return Vec::new();
        };
        list.iter()
            .filter_map(|item| Some((self.text(item, what)?, item.span())))
            .collect()
    }

    fn patterns(&mut self, value: &Spanned<DeValue<'_>>, what: &str) -> Gitignore {
        let mut builder = GitignoreBuilder::new("");
        for (pattern, span) in self.texts(value, what) {
            if let Err(error) = builder.add_line(None, &pattern) {
                self.problem(
                    span,
                    format!("`{pattern}` is no pattern"),
                    Some(error.to_string()),
                );
            }
        }
        builder.build().unwrap_or_else(|error| {
            self.problem(
                value.span(),
                format!("`{what}` is no list of patterns"),
                Some(error.to_string()),
            );
            Gitignore::empty()
        })
    }

    fn selectors(&mut self, value: &Spanned<DeValue<'_>>, what: &str) -> Vec<Selector> {
        let words = self.texts(value, what);
        words
            .into_iter()
            .filter_map(|(word, span)| self.selector(&word, span))
            .collect()
    }

    fn selector(&mut self, word: &str, span: Range<usize>) -> Option<Selector> {
        match Selector::parse(word) {
            Ok(selector) => Some(selector),
            Err(problem) => {
                self.problems.push(problem.at(&self.name, self.text, span));
                None
            }
        }
    }

    fn ignored(&mut self, value: &Spanned<DeValue<'_>>) -> Vec<Selector> {
        let mut ignored = Vec::new();
        for (word, span) in self.texts(value, "ignore") {
            if always_speaks(&word) {
                self.problem(
                    span,
                    format!("`{word}` cannot be ignored"),
                    Some("a file that was not understood never passes; use `exclude`".to_owned()),
                );
            } else {
                ignored.extend(self.selector(&word, span));
            }
        }
        ignored
    }

    fn severities(
        &mut self,
        value: &Spanned<DeValue<'_>>,
    ) -> Vec<(&'static idem_contract::Rule, Severity)> {
        let Some(table) = self.table(value, "severity") else {
            return Vec::new();
        };
        let mut severities = Vec::new();
        for (key, value) in table {
            let rule = match rule(key.get_ref()) {
                Ok(rule) if always_speaks(rule.id) => {
                    self.problem(
                        key.span(),
                        format!("`{}` is always an error", rule.id),
                        Some(
                            "a file that was not understood never passes; use `exclude`".to_owned(),
                        ),
                    );
                    continue;
                }
                Ok(rule) => rule,
                Err(problem) => {
                    self.problems
                        .push(problem.at(&self.name, self.text, key.span()));
                    continue;
                }
            };
            match value.get_ref().as_str() {
                Some("error") => severities.push((rule, Severity::Error)),
                Some("warn") => severities.push((rule, Severity::Warn)),
                Some("info") => severities.push((rule, Severity::Info)),
                Some(_) | None => self.problem(
                    value.span(),
                    format!(
                        "the severity of `{}` must be \"error\", \"warn\" or \"info\"",
                        rule.id
                    ),
                    Some("to silence a rule, name it in `ignore`".to_owned()),
                ),
            }
        }
        severities
    }

    fn lint(&mut self, value: &Spanned<DeValue<'_>>) -> Selection {
        let mut selection = Selection::default();
        let Some(table) = self.table(value, "lint") else {
            return selection;
        };
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "select" => selection.select = Some(self.selectors(value, "select")),
                "ignore" => selection.ignore = self.ignored(value),
                "severity" => selection.severity = self.severities(value),
                other => {
                    self.unknown(
                        key.span(),
                        "[lint]",
                        other,
                        &["select", "ignore", "severity"],
                    );
                }
            }
        }
        selection
    }

    fn per_file(&mut self, value: &Spanned<DeValue<'_>>) -> Vec<(Gitignore, Selection)> {
        let Some(list) = value.get_ref().as_array() else {
            self.wrong_type(value, "per-file", "a list of tables: write [[per-file]]");
            return Vec::new();
        };
        let mut entries = Vec::new();
        for item in list {
            let Some(table) = self.table(item, "per-file") else {
                continue;
            };
            let mut files = None;
            let mut selection = Selection::default();
            for (key, value) in table {
                match key.get_ref().as_ref() {
                    "files" => files = Some(self.patterns(value, "files")),
                    "select" => selection.select = Some(self.selectors(value, "select")),
                    "ignore" => selection.ignore = self.ignored(value),
                    "severity" => selection.severity = self.severities(value),
                    other => self.unknown(
                        key.span(),
                        "[[per-file]]",
                        other,
                        &["files", "select", "ignore", "severity"],
                    ),
                }
            }
            match files {
                Some(files) => entries.push((files, selection)),
                None => self.problem(
                    item.span(),
                    "[[per-file]] without `files`".to_owned(),
                    Some("write `files = [\"contracts/legacy-*.toml\"]`".to_owned()),
                ),
            }
        }
        entries
    }

    fn sql(&mut self, value: &Spanned<DeValue<'_>>) -> Sql {
        let mut sql = Sql::default();
        let Some(table) = self.table(value, "sql") else {
            return sql;
        };
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "database" => sql.database = self.text(value, "database"),
                "folder" => {
                    sql.folder = self
                        .text(value, "folder")
                        .map(|folder| paths::absolute(&self.root, Path::new(&folder)));
                }
                other => self.unknown(key.span(), "[sql]", other, &["database", "folder"]),
            }
        }
        sql
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use idem_contract::{Severity, rules};

    use super::decode;
    use crate::config::EXAMPLE;

    #[test]
    fn the_example_of_the_help_text_means_what_it_says() {
        let cwd = Path::new("/srv/shop");
        let config = decode(cwd, &cwd.join("idem.toml"), EXAMPLE.as_bytes()).expect("no mistake");
        assert_eq!(config.contracts, [cwd.join("contracts")]);
        assert!(config.excludes(&cwd.join("contracts/drafts/a.toml")));
        let rule = |id| rules::find(id).expect("a rule");
        let verdict = |id, file: &str| config.verdict(rule(id), &cwd.join(file), false);
        assert_eq!(verdict("endless-window", "contracts/a.toml"), (false, None));
        assert_eq!(
            verdict("unlimited-response", "contracts/a.toml"),
            (true, Some(Severity::Error))
        );
        assert_eq!(
            verdict("missing-request-hash", "contracts/a.toml"),
            (true, None)
        );
        assert_eq!(
            verdict("missing-request-hash", "contracts/legacy-a.toml"),
            (false, None)
        );
        assert_eq!(config.sql.database.as_deref(), Some("postgres"));
        assert_eq!(config.sql.folder, Some(cwd.join("migrations")));
    }
}
