//! Every format, on texts that nobody would write.

use std::path::Path;

use super::{ALL, Look};
use crate::discover::Discovery;
use crate::engine::{Wanted, lint_text};

/// Writes what the linter says of `source` in every format.
fn write(source: &[u8]) {
    let target = Discovery::new(Path::new("/"))
        .standard_input(Path::new("a.toml"), true)
        .expect("no configuration in the way");
    let report = lint_text(&target, source.to_vec(), &Wanted::default());
    for format in ALL {
        for colour in [false, true] {
            let look = Look {
                colour,
                strict: false,
            };
            (format.write)(&report, &look, &mut std::io::sink()).expect("a sink takes everything");
        }
    }
}

#[test]
fn no_text_is_too_broken_to_be_shown() {
    let contract = include_bytes!("../../../contracts/reference.toml");
    let junk = [
        "\u{feff}", "é", "😀", "\r\n", "\"\"\"", "[[", "\u{202e}", "\0", "\t",
    ];
    for (number, cut) in (0..contract.len()).step_by(97).enumerate() {
        let mut source = contract.to_vec();
        let piece = junk[number % junk.len()].as_bytes();
        source.splice(cut..cut, piece.iter().copied());
        write(&source);
        write(&source[..cut]);
        // Half a character, at the end and in the middle.
        source.truncate(cut);
        source.push(0xc3);
        write(&source);
        source.extend(b"\nworkflow = 3\n");
        write(&source);
    }
}
