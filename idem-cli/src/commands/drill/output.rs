//! The drill's report.

use idem::drill::{DrillReport, Report, Standing, TwinReport};
use serde::Serialize;

use crate::console::Console;
use crate::engine::Loaded;
use crate::problem::Problems;

/// One contract's drills.
pub(super) struct Drilled {
    pub(super) workflow: String,
    file: String,
    /// The reports; or why no drill could be played.
    report: Result<Report, String>,
    /// Drills that a contract like this one has, and this command does not play.
    left_out: Vec<(&'static str, &'static str)>,
}

impl Drilled {
    pub(super) fn of(loaded: &Loaded, report: Result<Report, String>) -> Self {
        let contract = &loaded.contract;
        let mut left_out = Vec::new();
        if report.is_ok() && contract.ordering.header.is_some() {
            left_out.push((
                "stale_order",
                "scratch rows have no version; the handler's own drill shows it",
            ));
        }
        if report.is_ok() && !contract.key.previous.is_empty() {
            left_out.push(("old_recipe", "this command drills the current recipe"));
        }
        Self {
            workflow: contract
                .workflow
                .get()
                .cloned()
                .unwrap_or_else(|| "?".to_owned()),
            file: loaded.target.shown.clone(),
            report,
            left_out,
        }
    }

    pub(super) fn ran(&self) -> bool {
        self.report.is_ok()
    }

    pub(super) fn failed(&self) -> bool {
        self.report.as_ref().is_ok_and(|report| !report.passed())
    }

    fn drills(&self) -> &[DrillReport] {
        self.report.as_ref().map_or(&[], |report| &report.drills)
    }
}

pub(super) fn human(one: &Drilled, store: &str, console: &mut Console) -> Result<(), Problems> {
    let Drilled { workflow, file, .. } = one;
    match &one.report {
        Ok(report) => {
            writeln!(console.out, "{workflow} ({file}) on {store}")?;
            for line in report.to_string().lines() {
                writeln!(console.out, "  {line}")?;
            }
            for (drill, why) in &one.left_out {
                writeln!(console.out, "  not run  {drill:<20} {why}")?;
            }
        }
        Err(why) => {
            writeln!(console.out, "{workflow} ({file})")?;
            writeln!(console.out, "  not run  every drill: {why}")?;
        }
    }
    writeln!(console.out)?;
    Ok(())
}

pub(super) fn human_summary(
    all: &[Drilled],
    twins: Option<&TwinReport>,
    console: &mut Console,
) -> Result<(), Problems> {
    if let Some(twins) = twins {
        for (at, line) in twins.to_string().lines().enumerate() {
            let indent = if at == 0 { "" } else { "  " };
            writeln!(console.out, "{indent}{line}")?;
        }
        writeln!(console.out)?;
    }
    let ran = all.iter().filter(|one| one.ran()).count();
    let failed = all.iter().filter(|one| one.failed()).count();
    let drills: usize = all.iter().map(|one| one.drills().len()).sum();
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    if ran == 0 {
        write!(console.out, "nothing was drilled")?;
    } else {
        let (some, of) = (plural(drills), plural(ran));
        write!(console.out, "{drills} drill{some} of {ran} workflow{of}: ")?;
        match failed {
            0 => write!(console.out, "all passed")?,
            failed => write!(console.out, "{failed} workflow{} failed", plural(failed))?,
        }
    }
    match all.len() - ran {
        0 => writeln!(console.out)?,
        not => writeln!(console.out, "; {not} workflow{} not drilled", plural(not))?,
    }
    Ok(())
}

pub(super) fn json(
    all: &[Drilled],
    store: &str,
    twins: Option<&TwinReport>,
    console: &mut Console,
) -> Result<(), Problems> {
    let whole = Whole {
        version: 1,
        store,
        workflows: all.iter().map(Workflow::of).collect(),
        twins: twins.map(Twins::of),
    };
    serde_json::to_writer_pretty(&mut console.out, &whole).map_err(std::io::Error::from)?;
    writeln!(console.out)?;
    Ok(())
}

#[derive(Serialize)]
struct Whole<'a> {
    version: u8,
    store: &'a str,
    workflows: Vec<Workflow<'a>>,
    twins: Option<Twins>,
}

#[derive(Serialize)]
struct Workflow<'a> {
    workflow: &'a str,
    file: &'a str,
    /// Why no drill could be played.
    not_run: Option<&'a str>,
    drills: Vec<OneDrill<'a>>,
}

#[derive(Serialize)]
struct OneDrill<'a> {
    drill: &'a str,
    standing: &'static str,
    why: Option<&'a str>,
    checks: Vec<OneCheck<'a>>,
}

#[derive(Serialize)]
struct OneCheck<'a> {
    what: &'a str,
    expected: &'a str,
    seen: &'a str,
    passed: bool,
}

#[derive(Serialize)]
struct Twins {
    caught: usize,
    of: usize,
    twins: Vec<OneTwin>,
}

#[derive(Serialize)]
struct OneTwin {
    twin: &'static str,
    drill: &'static str,
    caught: bool,
}

impl<'a> Workflow<'a> {
    fn of(one: &'a Drilled) -> Self {
        let left_out = one.left_out.iter().map(|(drill, why)| OneDrill {
            drill,
            standing: "not_run",
            why: Some(why),
            checks: Vec::new(),
        });
        Self {
            workflow: &one.workflow,
            file: &one.file,
            not_run: one.report.as_ref().err().map(String::as_str),
            drills: one
                .drills()
                .iter()
                .map(OneDrill::of)
                .chain(left_out)
                .collect(),
        }
    }
}

impl<'a> OneDrill<'a> {
    fn of(report: &'a DrillReport) -> Self {
        let (standing, why) = match &report.standing {
            Standing::Passed => ("passed", None),
            Standing::Failed => ("failed", None),
            Standing::NotRun(why) => ("not_run", Some(why.as_str())),
        };
        let checks = report.checks.iter().map(|check| OneCheck {
            what: &check.what,
            expected: &check.expected,
            seen: &check.seen,
            passed: check.passed,
        });
        Self {
            drill: report.kind.name(),
            standing,
            why,
            checks: checks.collect(),
        }
    }
}

impl Twins {
    fn of(report: &TwinReport) -> Self {
        let tried = report.twins.iter().flat_map(|(twin, report)| {
            let failed = report.failed();
            report.drills.iter().map(move |drill| OneTwin {
                twin: twin.name(),
                drill: drill.kind.name(),
                caught: failed.contains(&drill.kind),
            })
        });
        Self {
            caught: report.caught(),
            of: report.twins.len(),
            twins: tried.collect(),
        }
    }
}
