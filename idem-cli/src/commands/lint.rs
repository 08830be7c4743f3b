//! `idem lint`.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::builder::{PossibleValue, TypedValueParser};
use idem_contract::{MAX_BYTES, Severity};

use crate::Exit;
use crate::config::EXAMPLE;
use crate::console::Console;
use crate::discover::Discovery;
use crate::engine::{self, Report, Wanted};
use crate::output::{self, Format, Look};
use crate::paths;
use crate::problem::{Problem, Problems};
use crate::selection::{Selection, Selector, always_speaks};

mod repair;

/// Lints contracts
///
/// Rules about one file run on every contract named. Rules about several files (one workflow in two
/// contracts, `idem.lock` out of date) see the whole folder of contracts that a file belongs to, and
/// report on the files named. That folder is `contracts` of `idem.toml`, or without one the nearest
/// folder upward that is called `contracts` or holds an `idem.lock`. A file outside such a folder,
/// and standard input, are linted without a lockfile.
///
/// In a walk, every *.toml of a folder of contracts is linted; elsewhere only those that look like a
/// contract. `exclude` of `idem.toml` holds for files that are named, too.
#[derive(Debug, clap::Args)]
#[command(after_long_help = format!("idem.toml, the nearest one upward from each file:\n\n{EXAMPLE}"))]
pub(crate) struct Args {
    /// Contracts, or folders to walk; `-` for standard input. Without any: `contracts` of idem.toml, else `contracts/`
    paths: Vec<PathBuf>,
    /// How to write the findings to standard output
    #[arg(long, value_name = "FORMAT", default_value = output::ALL[0].name, value_parser = format_parser())]
    format: &'static Format,
    /// Write the findings to a file as well; may be given several times
    #[arg(long, value_name = "FORMAT=PATH", value_parser = output_parser)]
    output: Vec<Output>,
    /// Only these rules or groups of rules (and the errors of the format), whatever idem.toml says
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    select: Vec<String>,
    /// Not these rules or groups of rules
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    ignore: Vec<String>,
    /// Warnings fail too
    #[arg(long)]
    strict: bool,
    /// Do not look at idem.lock
    #[arg(long)]
    no_lock: bool,
    /// Nothing to lint is fine (exit status 0 instead of 3)
    #[arg(long)]
    allow_empty: bool,
    /// Count the findings by rule: behind the findings with --format human, else on standard error
    #[arg(long)]
    statistics: bool,
    /// Apply the edits that keep behaviour and every comment, then lint what is left
    #[arg(long)]
    fix: bool,
    /// With --fix or --diff: also the edits that change behaviour or take a comment away
    #[arg(long)]
    unsafe_fixes: bool,
    /// Show those edits as a patch instead of the findings, and write nothing
    #[arg(long, conflicts_with = "fix")]
    diff: bool,
    /// The path that standard input stands for: its name, and which idem.toml holds
    #[arg(long, value_name = "PATH")]
    stdin_file_name: Option<PathBuf>,
}

/// One `--output`.
#[derive(Clone, Debug)]
struct Output {
    format: &'static Format,
    path: PathBuf,
}

fn format_parser() -> impl TypedValueParser<Value = &'static Format> {
    PossibleValuesParser::new(
        output::ALL
            .iter()
            .map(|format| PossibleValue::new(format.name).help(format.about)),
    )
    .try_map(|name| output::find(&name).ok_or("there is no such format"))
}

fn output_parser(text: &str) -> Result<Output, String> {
    let names = || {
        let names: Vec<_> = output::ALL.iter().map(|format| format.name).collect();
        names.join(", ")
    };
    let (name, path) = text
        .split_once('=')
        .filter(|(_, path)| !path.is_empty())
        .ok_or_else(|| "write FORMAT=PATH, such as json=findings.json".to_owned())?;
    let format = output::find(name)
        .ok_or_else(|| format!("there is no format `{name}`; there are {}", names()))?;
    Ok(Output {
        format,
        path: path.into(),
    })
}

impl Args {
    fn selection(&self) -> Result<Selection, Problems> {
        let mut problems = Problems::default();
        let mut parse = |words: &[String]| {
            let mut selectors = Vec::new();
            for word in words {
                match Selector::parse(word.trim()) {
                    Ok(selector) => selectors.push(selector),
                    Err(problem) => problems.push(problem),
                }
            }
            selectors
        };
        let select = parse(&self.select);
        let ignore = parse(&self.ignore);
        for word in &self.ignore {
            if always_speaks(word.trim()) {
                problems.push(
                    Problem::new(format!("`{}` cannot be ignored", word.trim()))
                        .help("a file that was not understood never passes; leave the file out"),
                );
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        Ok(Selection {
            select: (!self.select.is_empty()).then_some(select),
            ignore,
            severity: Vec::new(),
        })
    }

    fn look(&self, colour: bool) -> Look {
        Look {
            colour,
            strict: self.strict,
        }
    }
}

pub(super) fn run(args: &Args, console: &mut Console) -> Result<Exit, Problems> {
    let wanted = Wanted {
        selection: args.selection()?,
        lock: !args.no_lock,
        today: engine::today(),
    };
    if args.unsafe_fixes && !args.fix && !args.diff {
        return Err(Problem::new("`--unsafe-fixes` alone does nothing")
            .help("write --fix --unsafe-fixes, or --diff --unsafe-fixes to see them first")
            .into());
    }
    let (report, problems, fixed) = lint(args, &wanted, console)?;
    console.report(&problems);
    if report.linted == 0 && problems.is_empty() && !args.allow_empty {
        console.report(&nothing(args).into());
        return Ok(Exit::Nothing);
    }
    let look = args.look(console.colour_out);
    if !args.diff {
        (args.format.write)(&report, &look, &mut console.out)?;
    }
    if let Some(fixed) = fixed.filter(|_| args.format.name == "human") {
        writeln!(console.out, "{fixed}")?;
    }
    if args.statistics {
        let table = statistics(&report);
        if args.format.name == "human" {
            write!(console.out, "{table}")?;
        } else {
            write!(console.err, "{table}")?;
        }
    }
    for output in &args.output {
        write_output(output, &report, &args.look(false), console)?;
    }
    Ok(if report.has_unreadable() || !problems.is_empty() {
        Exit::CouldNotRun
    } else if report.count(Severity::Error) > 0 || args.strict && report.count(Severity::Warn) > 0 {
        Exit::Findings
    } else {
        Exit::Fine
    })
}

fn lint(
    args: &Args,
    wanted: &Wanted,
    console: &mut Console,
) -> Result<(Report, Problems, Option<String>), Problems> {
    let discovery = Discovery::new(&console.cwd);
    if args.paths.iter().any(|path| path.as_os_str() == "-") {
        let report = standard_input(args, discovery, wanted, console)?;
        return Ok((report, Problems::default(), None));
    }
    if args.stdin_file_name.is_some() {
        return Err(Problem::new("`--stdin-file-name` without standard input")
            .help("write `idem lint - --stdin-file-name contracts/refund-order.toml`")
            .into());
    }
    let found = discovery.find(&args.paths)?;
    let problems = found.problems.clone();
    let fixed = if args.fix || args.diff {
        repair::repair(args, &found, wanted, console)?
    } else {
        None
    };
    let report = engine::lint_files(&console.cwd, found, wanted)?;
    Ok((report, problems, fixed))
}

fn standard_input(
    args: &Args,
    discovery: Discovery,
    wanted: &Wanted,
    console: &mut Console,
) -> Result<Report, Problems> {
    if args.paths.len() > 1 {
        return Err(Problem::new("`-` stands with other paths")
            .help("lint standard input in a run of its own")
            .into());
    }
    if args.fix || args.diff {
        return Err(Problem::new("standard input cannot be fixed")
            .help("name the file; --format json tells the edits to a program")
            .into());
    }
    let name = args
        .stdin_file_name
        .clone()
        .unwrap_or_else(|| "stdin.toml".into());
    let target = discovery.standard_input(&name, args.stdin_file_name.is_some())?;
    let config = target.config.as_ref();
    if target.is_file && config.is_some_and(|config| config.excludes(&target.path)) {
        return Ok(Report::default());
    }
    let mut source = Vec::new();
    let limit = u64::try_from(MAX_BYTES)
        .unwrap_or(u64::MAX)
        .saturating_add(1);
    console
        .stdin
        .by_ref()
        .take(limit)
        .read_to_end(&mut source)
        .map_err(|error| Problem::new("cannot read standard input").why(error.to_string()))?;
    Ok(engine::lint_text(&target, source, wanted))
}

fn nothing(args: &Args) -> Problem {
    if args.paths.is_empty() {
        Problem::new("nothing to lint: there is no contract in the folder of contracts")
            .help("`idem init` starts a project, `idem new <workflow>` writes a contract")
    } else {
        Problem::new("nothing to lint: there is no contract in the paths named")
            .help("`--allow-empty` where that is fine")
    }
}

fn statistics(report: &Report) -> String {
    let mut counts: BTreeMap<(Severity, &str), usize> = BTreeMap::new();
    for finding in report.files.iter().flat_map(|file| &file.diagnostics) {
        *counts.entry((finding.severity, finding.rule)).or_default() += 1;
    }
    let mut rows: Vec<_> = counts.into_iter().collect();
    rows.sort_by_key(|((severity, rule), number)| (std::cmp::Reverse(*number), *severity, *rule));
    let mut table = String::new();
    for ((severity, rule), number) in rows {
        table.push_str(&format!("{number:>6}  {:5}  {rule}\n", severity.as_str()));
    }
    table
}

fn write_output(
    output: &Output,
    report: &Report,
    look: &Look,
    console: &Console,
) -> Result<(), Problems> {
    let path = paths::absolute(&console.cwd, &output.path);
    let written = File::create(&path).and_then(|file| {
        let mut file = BufWriter::new(file);
        (output.format.write)(report, look, &mut file)?;
        file.flush()
    });
    written.map_err(|error| {
        Problem::new(format!(
            "cannot write `{}`",
            paths::shown(&console.cwd, &path)
        ))
        .why(error.to_string())
        .into()
    })
}
