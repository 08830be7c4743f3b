//! The linter, beside reading and parsing the same files.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use idem_contract::LintOptions;
use toml::de::DeTable;

use crate::Problem;
use crate::ratio::{Series, Target, report};

/// A clean, realistic contract: the one that the example service uses.
const CONTRACT: &str = include_str!("../../contracts/refund-order.toml");
/// Rounds of each measurement. Seven medians settle within a few hundredths.
const ROUNDS: usize = 7;
/// A date on which nothing in the contract has expired: days since 1970.
const TODAY: i32 = 20_000;

/// Measures, or with `once <parse|lint> <count>` only works, for callgrind to count.
pub(crate) fn run(words: &[&str]) -> Result<(), Problem> {
    if let ["once", what, count] = words {
        let count: usize = count.parse()?;
        for _ in 0..count {
            match *what {
                "parse" => parse(CONTRACT),
                _ => lint("refund-order", CONTRACT),
            }
        }
        return Ok(());
    }
    for count in [1_000, 10_000] {
        let folder = generated(count)?;
        in_process(count, &folder)?;
        whole_process(count, &folder)?;
        std::fs::remove_dir_all(&folder)?;
    }
    one_contract()?;
    instructions()
}

fn parse(text: &str) {
    let _table = black_box(DeTable::parse(black_box(text)));
}

fn lint(stem: &str, text: &str) {
    let options = LintOptions {
        file_stem: Some(stem),
        today: TODAY,
    };
    let _linted = black_box(idem_contract::lint(black_box(text.as_bytes()), &options));
}

/// A folder of `count` contracts that differ in name.
fn generated(count: usize) -> Result<PathBuf, Problem> {
    let folder = std::env::temp_dir().join(format!("idem-bench-{}-{count}", std::process::id()));
    let contracts = folder.join("contracts");
    std::fs::create_dir_all(&contracts)?;
    for at in 0..count {
        let name = format!("refund-order-{at}");
        let text = CONTRACT.replace("\"refund-order\"", &format!("\"{name}\""));
        std::fs::write(contracts.join(format!("{name}.toml")), text)?;
    }
    Ok(folder)
}

fn in_process(count: usize, folder: &Path) -> Result<(), Problem> {
    let mut files: Vec<(String, PathBuf)> = Vec::new();
    for entry in std::fs::read_dir(folder.join("contracts"))? {
        let path = entry?.path();
        let stem = path
            .file_stem()
            .map(|stem| stem.to_string_lossy().into_owned());
        files.push((stem.unwrap_or_default(), path));
    }
    let (mut parsed, mut linted) = (Series::default(), Series::default());
    for round in 0..ROUNDS {
        // Whoever goes first finds the files cold.
        for turn in 0..2 {
            let begun = Instant::now();
            let lints = (turn + round) % 2 == 0;
            for (stem, path) in &files {
                let text = std::fs::read_to_string(path)?;
                if lints {
                    lint(stem, &text)
                } else {
                    parse(&text)
                }
            }
            let series = if lints { &mut linted } else { &mut parsed };
            series.push(begun.elapsed().as_secs_f64());
        }
    }
    println!("{count} contracts, one thread, in this process:");
    let each = |series: &Series| {
        series.median() * 1e6 / f64::from(u32::try_from(count).unwrap_or(u32::MAX))
    };
    report(
        "read and parse, microseconds a contract",
        each(&parsed),
        Target::None,
    );
    report(
        "read and lint, microseconds a contract",
        each(&linted),
        Target::AtMost(30.0),
    );
    report(
        "read and lint / read and parse",
        linted.over(&parsed),
        Target::None,
    );
    Ok(())
}

fn whole_process(count: usize, folder: &Path) -> Result<(), Problem> {
    let Some(idem) = binary()? else {
        return Ok(());
    };
    println!("{count} contracts, `idem lint`, whole process:");
    let limits = match count {
        10_000 => [(1, Target::AtMost(0.35)), (2, Target::AtMost(0.2))],
        _ => [(1, Target::None), (2, Target::None)],
    };
    for (threads, target) in limits {
        let mut seconds = Series::default();
        let mut memory: f64 = 0.0;
        for _ in 0..ROUNDS {
            let (took, used) = timed(&idem, folder, threads)?;
            seconds.push(took);
            memory = memory.max(used);
        }
        report(
            &format!("seconds on {threads} thread(s)"),
            seconds.median(),
            target,
        );
        report("MB at most", memory, Target::AtMost(40.0));
    }
    Ok(())
}

fn one_contract() -> Result<(), Problem> {
    let Some(idem) = binary()? else {
        return Ok(());
    };
    let folder = generated(1)?;
    let mut seconds = Series::default();
    for _ in 0..(ROUNDS * 5) {
        seconds.push(timed(&idem, &folder, 2)?.0);
    }
    std::fs::remove_dir_all(&folder)?;
    println!("one contract, `idem lint`, whole process:");
    report("milliseconds", seconds.median() * 1e3, Target::AtMost(8.0));
    Ok(())
}

/// Seconds, and megabytes at the highest, of one run over `folder`.
fn timed(idem: &Path, folder: &Path, threads: usize) -> Result<(f64, f64), Problem> {
    let begun = Instant::now();
    let mut child = Command::new(idem)
        .args(["lint", "--no-lock", "contracts"])
        .current_dir(folder)
        .env("RAYON_NUM_THREADS", threads.to_string())
        .stdout(Stdio::null())
        .spawn()?;
    let status = format!("/proc/{}/status", child.id());
    let mut highest = 0.0;
    // The kernel keeps the high-water mark, so the last look before the end is near enough; a look
    // costs a few microseconds of the other core.
    let ended = loop {
        if let Ok(text) = std::fs::read_to_string(&status) {
            let mark = text.lines().find_map(|line| {
                line.strip_prefix("VmHWM:")?
                    .split_whitespace()
                    .next()?
                    .parse()
                    .ok()
            });
            highest = mark.unwrap_or(highest);
        }
        if let Some(ended) = child.try_wait()? {
            break ended;
        }
        std::thread::sleep(std::time::Duration::from_micros(200));
    };
    let took = begun.elapsed().as_secs_f64();
    if !ended.success() {
        return Err(format!("`idem lint` ended with {ended}").into());
    }
    Ok((took, highest / 1024.0))
}

/// The command in a release build beside this program.
fn binary() -> Result<Option<PathBuf>, Problem> {
    let built = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args([
            "build",
            "--release",
            "--quiet",
            "--package",
            "idem-cli",
            "--bin",
            "idem",
        ])
        .status()?;
    if !built.success() {
        println!("not measured: the command line does not build");
        return Ok(None);
    }
    Ok(std::env::current_exe()?
        .parent()
        .map(|folder| folder.join("idem")))
}

/// Instructions a contract, as callgrind counts them: the same on every run.
fn instructions() -> Result<(), Problem> {
    println!("instructions a contract, callgrind:");
    let (Some(parse), Some(lint)) = (counted("parse")?, counted("lint")?) else {
        println!("  not measured: valgrind is not installed");
        return Ok(());
    };
    report("parse, thousands", parse / 1e3, Target::None);
    report("lint, thousands", lint / 1e3, Target::None);
    report("lint / parse", lint / parse, Target::AtMost(2.5));
    Ok(())
}

fn counted(what: &str) -> Result<Option<f64>, Problem> {
    // The difference of two runs leaves out what the process costs by itself.
    let (few, many) = (10_u32, 210_u32);
    let (Some(less), Some(more)) = (callgrind(what, few)?, callgrind(what, many)?) else {
        return Ok(None);
    };
    Ok(Some((more - less) / f64::from(many - few)))
}

fn callgrind(what: &str, count: u32) -> Result<Option<f64>, Problem> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(std::env::current_exe()?)
        .args(["lint", "once", what, &count.to_string()])
        .output();
    let Ok(output) = output else {
        return Ok(None);
    };
    let text = String::from_utf8_lossy(&output.stderr);
    let refs = text
        .lines()
        .find_map(|line| {
            line.split("I   refs:")
                .nth(1)
                .or_else(|| line.split("Collected :").nth(1))
        })
        .map(|number| number.replace(',', ""));
    Ok(refs.and_then(|number| number.trim().parse().ok()))
}
