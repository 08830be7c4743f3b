//! Findings as a person reads them, and the rules that see several files.

use crate::sandbox::{REFUND, Sandbox, edited};

#[test]
fn a_finding_shows_the_text_the_reason_and_what_to_write() {
    let sandbox = Sandbox::new();
    let text = edited(REFUND, "lease        = \"30s\"\n", "");
    let ran = sandbox
        .file("refund-order.toml", text)
        .run(&["lint", "refund-order.toml"]);
    insta::assert_snapshot!("finding_missing_lease", ran.out);
}
