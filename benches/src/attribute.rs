//! What an attribute costs `cargo check`, a function, beside two that most people know.

mod count;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Problem;
use crate::ratio::{Series, Target, report};

pub(crate) use self::count::stand_in;

/// What rustc calls the generated crate.
const CRATE: &str = "attribute_cost";

/// Functions in the generated crate: enough to drown what the compiler costs by itself.
const FUNCTIONS: usize = 100;
/// Rounds; each checks every variant once.
const ROUNDS: usize = 5;

/// One way to write the same functions: its feature, what stands in front of a function.
struct Variant {
    name: &'static str,
    shape: Shape,
}

#[derive(Clone, Copy)]
enum Shape {
    Free(&'static str),
    Trait,
}

const VARIANTS: &[Variant] = &[
    Variant {
        name: "plain",
        shape: Shape::Free(""),
    },
    Variant {
        name: "idempotent",
        shape: Shape::Free("#[idem::idempotent(contract = \"refund-order\")]"),
    },
    Variant {
        name: "instrument",
        shape: Shape::Free("#[tracing::instrument]"),
    },
    Variant {
        name: "async_trait",
        shape: Shape::Trait,
    },
];

/// Generates the crate in the build folder and checks it in turns.
pub(crate) fn run(_words: &[&str]) -> Result<(), Problem> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .canonicalize()?;
    let place = root.join("target").join("bench").join("attribute");
    generate(&root, &place)?;
    for variant in VARIANTS {
        // Builds the dependencies, and finds out that the variant compiles.
        checked(&place, variant.name, None)?;
    }
    let mut seconds = vec![Series::default(); VARIANTS.len()];
    for round in 0..ROUNDS {
        for turn in 0..VARIANTS.len() {
            let at = (turn + round) % VARIANTS.len();
            seconds[at].push(checked(&place, VARIANTS[at].name, None)?);
        }
    }
    println!("`cargo check`, a function above the same function without an attribute:");
    println!(" CPU milliseconds, median of {ROUNDS} rounds");
    compare(&seconds, 1e3, Target::AtMost(4.0))?;
    if !count::is_possible() {
        println!(" instructions: not counted, there is no valgrind");
        return Ok(());
    }
    let log = place.join("instructions.log");
    let mut instructions = vec![Series::default(); VARIANTS.len()];
    for (variant, series) in VARIANTS.iter().zip(&mut instructions) {
        checked(&place, variant.name, Some(&log))?;
        series.push(count::read(&log)?);
    }
    println!(" instructions that rustc executes, in millions");
    compare(&instructions, 1e-6, Target::None)
}

/// One line an attribute, in the unit of `scale`, and ours against each of the others.
fn compare(measured: &[Series], scale: f64, ours_at: Target) -> Result<(), Problem> {
    let functions = f64::from(u32::try_from(FUNCTIONS)?);
    let each = |at: usize| {
        let mut cost = Series::default();
        cost.push((measured[at].median() - measured[0].median()) * scale / functions);
        cost
    };
    let ours = each(1);
    report("#[idem::idempotent]", ours.median(), ours_at);
    for (at, variant) in VARIANTS.iter().enumerate().skip(2) {
        let theirs = each(at);
        report(
            &format!("#[{}], async", variant.name),
            theirs.median(),
            Target::None,
        );
        report(
            &format!("#[idempotent] / #[{}]", variant.name),
            ours.over(&theirs),
            Target::AtMost(1.0),
        );
    }
    Ok(())
}

/// CPU seconds of one `cargo check` of the crate alone, from scratch. Not the time on the clock: that
/// belongs to whatever else the machine does.
fn checked(place: &Path, feature: &str, counted: Option<&Path>) -> Result<f64, Problem> {
    let source = place.join("src").join("lib.rs");
    let text = std::fs::read_to_string(&source)?;
    // Cargo looks at the time of the last change.
    std::fs::write(&source, text)?;
    let before = children()?;
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    if let Some(log) = counted {
        count::between(&mut cargo, log)?;
    }
    let status = cargo
        .args(["check", "--quiet", "--features", feature])
        .current_dir(place)
        .env("CARGO_TARGET_DIR", place.join("target"))
        .env("CARGO_INCREMENTAL", "0")
        .status()?;
    if !status.success() {
        return Err(format!("the variant `{feature}` does not compile").into());
    }
    Ok(children()? - before)
}

/// CPU seconds of all ended children of this process, their own children included.
fn children() -> Result<f64, Problem> {
    crate::ratio::cpu_seconds(13)
}

fn generate(root: &Path, place: &Path) -> Result<(), Problem> {
    std::fs::create_dir_all(place.join("src"))?;
    std::fs::create_dir_all(place.join("contracts"))?;
    let write = |name: &str, text: &str| std::fs::write(place.join(PathBuf::from(name)), text);
    write(
        "contracts/refund-order.toml",
        include_str!("../../contracts/refund-order.toml"),
    )?;
    // The same versions of everything as the project itself.
    std::fs::copy(root.join("Cargo.lock"), place.join("Cargo.lock"))?;
    let features: String = VARIANTS.iter().fold(String::new(), |mut text, variant| {
        let _infallible = writeln!(text, "{} = []", variant.name);
        text
    });
    write(
        "Cargo.toml",
        &format!(
            "[package]\nname = \"attribute-cost\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n\
             [features]\n{features}[profile.dev]\ndebug = false\n[dependencies]\n\
             idem = {{ package = \"idem-rs\", path = {:?} }}\nserde = {{ version = \"1\", features = [\"derive\"] }}\n\
             sqlx = {{ version = \"0.9\", default-features = false, features = [\"runtime-tokio\", \"sqlite\"] }}\n\
             tracing = \"0.1\"\nasync-trait = \"0.1\"\n",
            root.display().to_string()
        ),
    )?;
    let mut library = String::from(include_str!("attribute_types.txt"));
    for variant in VARIANTS {
        writeln!(
            library,
            "#[cfg(feature = {:?})]\nmod {};",
            variant.name, variant.name
        )?;
        write(&format!("src/{}.rs", variant.name), &module(variant.shape))?;
    }
    write("src/lib.rs", &library)?;
    Ok(())
}

fn module(shape: Shape) -> String {
    let mut text = String::from("use crate::{Receipt, Refund, RefundError};\n");
    let mut declared = String::new();
    let mut written = String::new();
    for at in 0..FUNCTIONS {
        let head = format!(
            "async fn refund_{at}(tx: &mut idem::sqlite::Tx<'_>, event: &Refund) -> Result<Receipt, RefundError>"
        );
        let body = format!(
            "{{\n    sqlx::query(\"insert into refunds (id, amount) values (?, ?)\")\n        .bind(&event.refund_id)\n        \
             .bind(event.amount)\n        .execute(&mut **tx)\n        .await?;\n    \
             Ok(Receipt {{ number: event.amount + {at} }})\n}}\n"
        );
        match shape {
            Shape::Free(attribute) => {
                let _infallible = write!(written, "{attribute}\npub {head} {body}");
            }
            Shape::Trait => {
                let head = head.replace("(tx", "(&self, tx");
                let _infallible = writeln!(declared, "    {head};");
                let _infallible = write!(written, "{head} {body}");
            }
        }
    }
    match shape {
        Shape::Free(_) => text.push_str(&written),
        Shape::Trait => {
            let _infallible = write!(
                text,
                "#[async_trait::async_trait]\npub trait Refunds {{\n{declared}}}\npub struct Desk;\n\
                 #[async_trait::async_trait]\nimpl Refunds for Desk {{\n{written}}}\n"
            );
        }
    }
    text
}
