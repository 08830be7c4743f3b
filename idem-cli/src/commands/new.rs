//! `idem new`: a contract with every decision asked for.

use idem_contract::{EffectKind, TriggerKind, sources};
use idem_templates::contract::NEW;
use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, context};

use crate::Exit;
use crate::console::Console;
use crate::discover::Discovery;
use crate::engine::{self, Wanted};
use crate::output::{self, Look};
use crate::paths;
use crate::problem::{Problem, Problems};

mod ask;
mod question;
mod spec;

use spec::{EffectSpec, FieldSpec};

/// Writes a new contract, with every decision asked for
///
/// On a terminal, what is not said in an option is asked. Elsewhere every decision must be an option,
/// and those that are missing are named together. A contract that is already there is never written
/// over. The new workflow is not put into idem.lock: `idem lock` does that, once its key is settled.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Args {
    /// The workflow's name: kebab-case, such as `refund-order`
    workflow: String,
    /// What starts it
    #[arg(long, value_parser = kind)]
    kind: Option<TriggerKind>,
    /// Who is paged
    #[arg(long)]
    owner: Option<String>,
    /// What it does, in one sentence
    #[arg(long)]
    summary: Option<String>,
    /// Who sends the events: a name from the table of known sources, or any text
    #[arg(long)]
    source: Option<String>,
    /// An event type served; may be given several times
    #[arg(long = "event", value_name = "TYPE")]
    events: Vec<String>,
    /// Our name, where several consumers get each event
    #[arg(long)]
    consumer: Option<String>,
    /// The latest moment after the first delivery at which it may come again, such as 3d
    #[arg(long, value_name = "DURATION")]
    redelivers_for: Option<String>,
    /// How long a parked message may be redriven
    #[arg(long, value_name = "DURATION")]
    dead_letter_for: Option<String>,
    /// How long someone may replay by hand
    #[arg(long, value_name = "DURATION")]
    redrive_for: Option<String>,
    /// Events of one entity arrive in their order
    #[arg(long)]
    ordered: bool,
    /// The same entity may rightly come again
    #[arg(long)]
    repeats: bool,
    /// A payload field, NAME:TYPE[:ORIGIN][:optional][:personal]; once for each field
    #[arg(long = "field", value_name = "FIELD", value_parser = FieldSpec::parse)]
    fields: Vec<FieldSpec>,
    /// The fields that make two deliveries the same operation
    #[arg(long, value_name = "FIELDS", value_delimiter = ',')]
    key: Vec<String>,
    /// The key field that names the tenant; without it, the one of origin `authenticated`
    #[arg(long, value_name = "FIELD")]
    tenant: Option<String>,
    /// The fields whose change makes it another request: a list, `all` or `none`
    #[arg(long, value_name = "FIELDS", value_delimiter = ',')]
    hash: Vec<String>,
    /// Fields that may differ between honest retries
    #[arg(long, value_name = "FIELDS", value_delimiter = ',')]
    hash_ignore: Vec<String>,
    /// An effect, NAME:KIND[:CHANGE or PROVIDER]; once for each effect, in their order
    #[arg(long = "effect", value_name = "EFFECT", value_parser = EffectSpec::parse)]
    effects: Vec<EffectSpec>,
    /// Longer than one attempt ever works
    #[arg(long, value_name = "DURATION")]
    lease: Option<String>,
    /// How long a finished key is remembered
    #[arg(long, value_name = "DURATION")]
    window: Option<String>,
    /// How often it is tried before a person is asked
    #[arg(long, value_name = "NUMBER")]
    max_attempts: Option<u32>,
    /// The field that names the entity, where events can arrive out of order
    #[arg(long, value_name = "FIELD", requires = "order_version")]
    order_entity: Option<String>,
    /// The field that grows with every change of the entity
    #[arg(long, value_name = "FIELD", requires = "order_entity")]
    order_version: Option<String>,
    /// Who settles what nobody knows
    #[arg(long, value_name = "OWNER")]
    dead_letter_owner: Option<String>,
    /// Where they are told
    #[arg(long, value_name = "CHANNEL")]
    dead_letter_channel: Option<String>,
    /// By when
    #[arg(long, value_name = "DURATION")]
    dead_letter_deadline: Option<String>,
}

fn kind(text: &str) -> Result<TriggerKind, String> {
    TriggerKind::from_word(text).ok_or_else(|| {
        let kinds: Vec<_> = TriggerKind::ALL.iter().map(|kind| kind.as_str()).collect();
        format!("there are {}", kinds.join(", "))
    })
}

/// `text` as a TOML basic string.
fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

/// `text` between the quotes of a TOML basic string.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => out.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

pub(super) fn run(args: Args, console: &mut Console) -> Result<Exit, Problems> {
    let mut args = args;
    check_name(&args.workflow)?;
    let folders = Discovery::new(&console.cwd).default_folders()?;
    let folder = folders
        .first()
        .cloned()
        .unwrap_or_else(|| console.cwd.clone());
    let path = folder.join(format!("{}.toml", args.workflow));
    let shown = paths::shown(&console.cwd, &path);
    if path.exists() {
        return Err(already_there(&shown).into());
    }
    if console.interactive {
        question::ask_missing(&mut args, &mut ask::Terminal)?;
    } else {
        question::refuse_missing(&args)?;
    }
    check_fields(&args)?;
    let text = render(&args)?;
    let is_new = paths::create(&path, text.as_bytes())
        .map_err(|error| Problem::new(format!("cannot write `{shown}`")).why(error.to_string()))?;
    if !is_new {
        return Err(already_there(&shown).into());
    }
    writeln!(console.out, "wrote {shown}\n")?;
    let target = Discovery::new(&console.cwd).standard_input(&path, true)?;
    let wanted = Wanted {
        today: engine::today(),
        ..Wanted::default()
    };
    let report = engine::lint_text(&target, text.into_bytes(), &wanted);
    let look = Look {
        colour: console.colour_out,
        strict: false,
    };
    (output::ALL[0].write)(&report, &look, &mut console.out)?;
    if !report.files.is_empty() {
        writeln!(
            console.out,
            "These are yours to decide; the contract is written as you said."
        )?;
    }
    console.hint(&format!(
        "Next: read it; `idem lint {shown}` checks it, and `idem lock` records its key once it is settled."
    ))?;
    Ok(Exit::Fine)
}

fn already_there(shown: &str) -> Problem {
    Problem::new(format!("`{shown}` is already there"))
        .help("a contract is never written over: change it, or choose another name")
}

fn check_name(name: &str) -> Result<(), Problem> {
    let is_kebab = !name.is_empty()
        && name.len() <= 64
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.split('-').all(|word| {
            !word.is_empty()
                && word
                    .chars()
                    .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
        });
    if is_kebab {
        return Ok(());
    }
    Err(Problem::new(format!("`{name}` is no workflow name"))
        .why("it is part of every stored key, and the name of a file")
        .help("write it in kebab-case, at most 64 characters, such as refund-order"))
}

/// A name in an option that no `--field` declares.
fn check_fields(args: &Args) -> Result<(), Problems> {
    let mut problems = Problems::default();
    let hash = args
        .hash
        .iter()
        .filter(|word| args.hash.len() > 1 || !matches!(word.as_str(), "all" | "none"));
    let uses = args
        .key
        .iter()
        .map(|name| ("--key", name))
        .chain(args.tenant.iter().map(|name| ("--tenant", name)))
        .chain(hash.map(|name| ("--hash", name)))
        .chain(args.hash_ignore.iter().map(|name| ("--hash-ignore", name)))
        .chain(
            args.order_entity
                .iter()
                .map(|name| ("--order-entity", name)),
        )
        .chain(
            args.order_version
                .iter()
                .map(|name| ("--order-version", name)),
        );
    for (flag, name) in uses {
        if !args.fields.iter().any(|field| field.name == *name) {
            problems.push(
                Problem::new(format!("{flag} names `{name}`, and no --field declares it"))
                    .help(format!("declare it: --field {name}:string:source-id")),
            );
        }
    }
    if problems.is_empty() {
        Ok(())
    } else {
        Err(problems)
    }
}

/// Fills in the template.
fn render(args: &Args) -> Result<String, Problem> {
    let broken = |error: minijinja::Error| {
        Problem::new("the template of a contract cannot be filled in").why(format!("{error:#}"))
    };
    let syntax = SyntaxConfig::builder()
        .line_statement_prefix("#%")
        .keep_trailing_newline(true)
        .build()
        .map_err(broken)?;
    let mut environment = Environment::new();
    environment.set_syntax(syntax);
    environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
    let text = |text: &Option<String>| text.as_deref().map(escaped);
    let list = |names: &[String]| {
        names
            .iter()
            .map(|name| escaped(name))
            .collect::<Vec<_>>()
            .join("\", \"")
    };
    let hash = match args.hash.as_slice() {
        [one] if one == "all" || one == "none" => quoted(one),
        names => format!("[\"{}\"]", list(names)),
    };
    let personal: Vec<_> = args
        .fields
        .iter()
        .filter(|field| field.personal)
        .map(|field| field.name.clone())
        .collect();
    let filled = environment
        .render_str(
            NEW,
            context! {
                workflow => &args.workflow,
                kind => args.kind.map(TriggerKind::as_str),
                owner => text(&args.owner),
                summary => text(&args.summary),
                source => text(&args.source),
                events => list(&args.events),
                consumer => text(&args.consumer),
                redelivers_for => text(&args.redelivers_for),
                dead_letter_for => text(&args.dead_letter_for),
                redrive_for => text(&args.redrive_for),
                ordered => args.ordered.to_string(),
                repeats => (args.repeats || args.kind == Some(TriggerKind::Schedule)).to_string(),
                fields => args.fields.iter().map(FieldSpec::line).collect::<Vec<_>>(),
                key => list(&args.key),
                tenant => text(&tenant(args)),
                hash => hash,
                ignore => list(&args.hash_ignore),
                effects => args.effects.iter().map(effect).collect::<Vec<_>>(),
                lease => text(&args.lease),
                window => text(&args.window),
                max_attempts => args.max_attempts,
                order_entity => text(&args.order_entity),
                order_version => text(&args.order_version),
                personal => list(&personal),
                dead_letter_owner => text(&args.dead_letter_owner),
                dead_letter_channel => text(&args.dead_letter_channel),
                dead_letter_deadline => text(&args.dead_letter_deadline),
            },
        )
        .map_err(broken)?;
    let lines = filled
        .split_inclusive('\n')
        .map(|line| line.strip_prefix("#= ").unwrap_or(line));
    Ok(lines.collect())
}

/// The tenant that was said, or the one key field that the credentials name.
fn tenant(args: &Args) -> Option<String> {
    args.tenant.clone().or_else(|| {
        args.fields
            .iter()
            .find(|field| {
                field.origin == Some(idem_contract::Origin::Authenticated)
                    && args.key.contains(&field.name)
            })
            .map(|field| field.name.clone())
    })
}

fn effect(spec: &EffectSpec) -> minijinja::Value {
    let keyed = spec.kind == EffectKind::KeyedRemote;
    let header = spec
        .provider
        .as_deref()
        .and_then(sources::find)
        .and_then(|provider| provider.key_header)
        .map_or("Idempotency-Key", |header| header.value);
    context! {
        name => &spec.name,
        kind => spec.kind.as_str(),
        change => spec.change.map(idem_contract::Change::as_str),
        provider => spec.provider.as_deref().map(escaped),
        key_header => keyed.then(|| escaped(header)),
        on_ambiguous => matches!(spec.kind, EffectKind::Remote | EffectKind::Irreversible),
        timeout => (spec.kind != EffectKind::Local).then_some("10s"),
    }
}

/// Whether two deliveries can be far apart, and only the author knows how far: the table of sources
/// says nothing about this one.
fn needs_horizon(args: &Args) -> bool {
    matches!(
        args.kind,
        Some(TriggerKind::Webhook | TriggerKind::Queue | TriggerKind::Stream)
    ) && args
        .source
        .as_deref()
        .and_then(sources::find)
        .is_none_or(|source| source.redelivers_for.is_none())
}
