//! What `idem ops` says.

use std::io::{self, Write};
use std::time::SystemTime;

use idem::desk::{Entry, File, Letter, Settled, Settlement};
use serde_json::{Value, json};

use super::super::rules::ListFormat;
use super::moment::{span, utc};
use crate::Exit;
use crate::console::Console;
use crate::problem::Problems;

/// What was found out or done.
pub(super) enum Answer {
    /// Operations, and how many were asked for at most.
    Listed(Vec<Entry>, u32),
    Shown(File),
    /// The key, and what became of the change.
    Settled(String, Settled),
}

impl Answer {
    pub(super) const fn exit(&self) -> Exit {
        match self {
            Self::Settled(_, Settled::Refused(_) | Settled::Changed(_)) => Exit::Findings,
            Self::Listed(..) | Self::Shown(_) | Self::Settled(_, Settled::Made(_)) => Exit::Fine,
        }
    }
}

pub(super) fn write(
    answer: &Answer,
    format: ListFormat,
    console: &mut Console,
) -> Result<(), Problems> {
    match format {
        ListFormat::Json => writeln!(console.out, "{:#}", as_json(answer))?,
        ListFormat::Human => human(answer, &mut console.out)?,
    }
    Ok(())
}

fn human(answer: &Answer, out: &mut dyn Write) -> io::Result<()> {
    match answer {
        Answer::Listed(entries, limit) => list(entries, *limit, out),
        Answer::Shown(file) => shown(file, out),
        Answer::Settled(key, settled) => {
            let key = text(key);
            match settled {
                Settled::Made(Some(now)) => writeln!(out, "{key}: {} now", now.state()),
                Settled::Made(None) => writeln!(out, "{key}: done, and gone since"),
                Settled::Refused(why) => writeln!(out, "{key}: nothing changed: {why}"),
                Settled::Changed(Some(now)) => writeln!(
                    out,
                    "{key}: nothing changed: it has changed since it was read, and is {} now \
                     (attempt {}, fence {})",
                    now.state(),
                    now.attempt,
                    now.fence.get()
                ),
                Settled::Changed(None) => {
                    writeln!(out, "{key}: nothing changed: it is gone since it was read")
                }
            }
        }
    }
}

fn list(entries: &[Entry], limit: u32, out: &mut dyn Write) -> io::Result<()> {
    for entry in entries {
        writeln!(out, "{}", text(&entry.key))?;
        writeln!(
            out,
            "    {}, attempt {}, claimed {}",
            entry.state(),
            entry.attempt,
            utc(entry.claimed_at)
        )?;
        if let Some(letter) = &entry.letter {
            case(letter, out)?;
        }
    }
    match entries.len() {
        0 => writeln!(out, "none"),
        some if some == limit as usize => {
            writeln!(out, "{some} shown; there may be more: --limit")
        }
        some => writeln!(out, "{some} in all"),
    }
}

fn case(letter: &Letter, out: &mut dyn Write) -> io::Result<()> {
    write!(
        out,
        "    {} since {}: {}",
        letter.kind.as_str(),
        utc(letter.since),
        text(&letter.known)
    )?;
    match letter.settled_at {
        Some(at) => writeln!(out, "; settled {}", utc(at))?,
        None => writeln!(out)?,
    }
    if let Some(owner) = &letter.owner {
        write!(out, "    for {}", text(owner))?;
        if let Some(channel) = &letter.channel {
            write!(out, " in {}", text(channel))?;
        }
        if let Some(deadline) = letter.deadline {
            write!(
                out,
                ", within {} (by {})",
                span(deadline),
                utc(letter.since + deadline)
            )?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn shown(file: &File, out: &mut dyn Write) -> io::Result<()> {
    match &file.entry {
        Some(entry) => operation(entry, out)?,
        None => writeln!(out, "the key has no row any more")?,
    }
    if !file.letters.is_empty() {
        writeln!(out, "\ndead letters")?;
    }
    for letter in &file.letters {
        writeln!(
            out,
            "  attempt {}, fence {}",
            letter.attempt,
            letter.fence.get()
        )?;
        case(letter, out)?;
    }
    if !file.settlements.is_empty() {
        writeln!(out, "\nsettled by hand")?;
    }
    for settlement in &file.settlements {
        writeln!(
            out,
            "  {}  {}  {}: {} -> {}\n    {}",
            utc(settlement.at),
            text(&settlement.by),
            settlement.act.as_str(),
            settlement.old.as_str(),
            settlement.new.map_or("absent", |status| status.as_str()),
            text(&settlement.note)
        )?;
    }
    Ok(())
}

fn operation(entry: &Entry, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", text(&entry.key))?;
    let mut line = |name: &str, value: String| writeln!(out, "  {name:<10} {value}");
    line("state", entry.state().to_owned())?;
    line("workflow", text(&entry.workflow))?;
    if let Some(tenant) = &entry.tenant {
        line("tenant", text(tenant))?;
    }
    line("attempt", entry.attempt.to_string())?;
    line("fence", entry.fence.get().to_string())?;
    line("claimed", utc(entry.claimed_at))?;
    if let Some(left) = entry.lease_left {
        line("lease", format!("{} left", span(left)))?;
    }
    if let Some(effect) = &entry.begun_effect {
        line("begun", text(effect))?;
    }
    if let Some(reason) = &entry.ambiguous_reason {
        line("known", text(reason))?;
    }
    if let Some(at) = entry.completed_at {
        line("completed", utc(at))?;
    }
    if let Some(result) = entry.result {
        let what = format!(
            "{}, {} bytes, version {}",
            result.kind.as_str(),
            result.bytes,
            result.version
        );
        line("result", what)?;
    }
    line(
        "expires",
        entry.expires_at.map_or_else(|| "never".to_owned(), utc),
    )
}

/// Text of a store as a terminal may see it.
fn text(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect()
}

fn as_json(answer: &Answer) -> Value {
    match answer {
        Answer::Listed(entries, _) => json!({
            "version": 1,
            "operations": entries.iter().map(entry_json).collect::<Vec<_>>(),
        }),
        Answer::Shown(file) => json!({
            "version": 1,
            "operation": file.entry.as_ref().map(entry_json),
            "dead_letters": file.letters.iter().map(letter_json).collect::<Vec<_>>(),
            "settlements": file.settlements.iter().map(settlement_json).collect::<Vec<_>>(),
        }),
        Answer::Settled(key, settled) => {
            let (outcome, why, now) = match settled {
                Settled::Made(now) => ("made", None, now.as_ref()),
                Settled::Refused(why) => ("refused", Some(*why), None),
                Settled::Changed(now) => ("changed", None, now.as_ref()),
            };
            json!({
                "version": 1,
                "key": key,
                "outcome": outcome,
                "why": why,
                "operation": now.map(entry_json),
            })
        }
    }
}

fn entry_json(entry: &Entry) -> Value {
    json!({
        "key": entry.key,
        "workflow": entry.workflow,
        "tenant": entry.tenant,
        "status": entry.status.as_str(),
        "expired": entry.expired,
        "attempt": entry.attempt,
        "fence": entry.fence.get(),
        "claimed_at": utc(entry.claimed_at),
        "lease_left_ms": entry.lease_left.map(|left| left.as_millis() as u64),
        "completed_at": entry.completed_at.map(utc),
        "expires_at": entry.expires_at.map(utc),
        "begun_effect": entry.begun_effect,
        "known": entry.ambiguous_reason,
        "result": entry.result.map(|result| json!({
            "kind": result.kind.as_str(),
            "version": result.version,
            "bytes": result.bytes,
        })),
        "dead_letter": entry.letter.as_ref().map(letter_json),
    })
}

fn letter_json(letter: &Letter) -> Value {
    let due = |deadline| -> SystemTime { letter.since + deadline };
    json!({
        "kind": letter.kind.as_str(),
        "known": letter.known,
        "since": utc(letter.since),
        "attempt": letter.attempt,
        "fence": letter.fence.get(),
        "owner": letter.owner,
        "channel": letter.channel,
        "due": letter.deadline.map(due).map(utc),
        "settled_at": letter.settled_at.map(utc),
    })
}

fn settlement_json(settlement: &Settlement) -> Value {
    json!({
        "at": utc(settlement.at),
        "by": settlement.by,
        "act": settlement.act.as_str(),
        "from": settlement.old.as_str(),
        "to": settlement.new.map(|status| status.as_str()),
        "fence": settlement.fence.get(),
        "attempt": settlement.attempt,
        "note": settlement.note,
    })
}
