//! Files as a whole.

use crate::parse;
use crate::rules::examples::source;

#[test]
fn byte_order_marks_and_carriage_returns_change_nothing() {
    let text = source("");
    for other in [
        format!("\u{feff}{text}"),
        text.replace('\n', "\r\n"),
        format!("\u{feff}{}", text.replace('\n', "\r\n")),
    ] {
        let parsed = parse(other.as_bytes());
        assert_eq!(parsed.diagnostics, []);
        let lease = parsed.contract.claim.lease.span().expect("a lease");
        assert_eq!(&other[lease.start..lease.end], "\"30s\"");
    }
}

#[test]
fn what_is_no_text_is_unreadable() {
    for (source, message) in [
        (
            &b"contract = 1\nowner = \"\xff\"\n"[..],
            "byte 22 is not UTF-8",
        ),
        (b"\xff\xfec\x00o\x00", "the file is UTF-16"),
        (
            &vec![b' '; crate::MAX_BYTES + 1],
            "the file has 4194305 bytes",
        ),
    ] {
        let parsed = parse(source);
        assert!(parsed.fatal);
        assert_eq!(parsed.diagnostics.len(), 1);
        assert_eq!(parsed.diagnostics[0].rule, "unreadable-file");
        assert_eq!(parsed.diagnostics[0].message, message);
    }
}

#[test]
fn a_file_that_is_no_contract_says_so_once() {
    for text in [
        "",
        "\u{feff}",
        "\n\n",
        "# only a comment\n",
        "[package]\nname = \"x\"\nversion = \"1\"\n",
    ] {
        let parsed = parse(text.as_bytes());
        assert!(parsed.fatal, "{text:?}");
        let rules: Vec<_> = parsed.diagnostics.iter().map(|found| found.rule).collect();
        assert_eq!(rules, ["missing-field"], "{text:?}");
    }
}
