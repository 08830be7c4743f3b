//! Whole broken files and everything that is said of them, to be read as their author would.

use crate::{LineIndex, parse};

/// Every finding: place, rule, path, what is underlined, and the words.
fn report(source: &str) -> String {
    let parsed = parse(source.as_bytes());
    let lines = LineIndex::new(source.as_bytes());
    let mut out = format!(
        "fatal: {}\ncomplete: {}\n",
        parsed.fatal, parsed.contract.complete
    );
    for found in &parsed.diagnostics {
        let at = lines.position(found.span.start);
        let text = source
            .get(found.span.start..found.span.end)
            .unwrap_or("(not UTF-8)");
        out += &format!(
            "\n{}:{} {}[{}] {}\n    {text:?}\n    {}\n    {}\n",
            at.line, at.column, found.rule, found.path, found.message, found.why, found.help
        );
        for related in &found.related {
            let at = lines.position(related.span.start);
            out += &format!("    {}:{} {}\n", at.line, at.column, related.message);
        }
        for edit in found.fix.iter().flat_map(|fix| &fix.edits) {
            out += &format!("    fix: {:?}\n", edit.text);
        }
    }
    out
}

macro_rules! reports {
    ($($(#[$doc:meta])* $name:ident: $source:expr;)+) => { $(
        $(#[$doc])*
        #[test]
        fn $name() {
            insta::assert_snapshot!(stringify!($name), report($source));
        }
    )+ };
}

reports! {
    ten_mistakes_are_ten_findings: r#"contract = 1
workflow = "RefundOrder"
versoin = 2
owner = team-payments
summary = "Refund once."
strategy = "tabel"

[trigger]
kind = "webhok"
redelivers_for = "3 days"
events = "refund.created"

[payload]
refund_id = { type = "string", origin = "source-id" }
amount = { type = "money" }

[key]
fields = ["refund_id"]

[request]
hash = ["amuont"]

[claim]
lease = 30
window = "30d"
max_attempts = 0
"#;
    brackets_that_are_never_closed: r#"contract = 1
workflow = "refund-order"
version = 1
owner = "me"
summary = "Refund once."

[trigger
kind = "webhook"

[payload]
tenant_id = { type = "string", origin = "authenticated"
refund_id = { type = "string", origin = "source-id" }

[key]
fields = ["tenant_id", "refund_id"
tenant = "tenant_id"

request]
hash = [
    "refund_id",

[[effects]
name = "refunds"
kind = "local"
"#;
    quotes_commas_and_equals_signs_that_are_missing: r#"contract = 1
workflow "refund-order"
version: 1
owner = me
summary = "Refund once.

[trigger]
kind = webhook
ordered = yes
redelivers_for = 3d
events = ["a" "b"]
fan_out = = true

[payload]
a = { type = "string" origin = "source-id" }
b = { type "string" }
c = { type = "string",, required = true }
d = { type = "string" } e

[claim]
lease =
window = "30d" # fine
max_attempts = 5,
"#;
    names_written_twice: r#"contract = 1
contract = 1
workflow = "a"
version = 1
owner = "me"
summary = "Once."

[trigger]
kind = "http"

[payload]
a = { type = "string", type = "uuid" }
b = { type = "string" }
b = { type = "uuid" }

[trigger]
kind = "webhook"
source = "stripe"

[[claim]]
lease = "30s"
[claim]
lease = "1m"
"#;
    tables_in_the_wrong_shape: r#"contract = 1
workflow = "a"
version = 1
owner = "me"
summary = "Once."
claim = 5
request = ["a"]
effects = {}
response.keep.full = true

[[trigger]]
kind = "http"

[payload]
a = "string"
b = { type = { name = "string" } }
c.d = 5

[key.fields]
a = 1

[allow]
rule = "no-key"
"#;
    settings_in_the_wrong_table: r#"contract = 1
workflow = "a"

[trigger]
kind = "http"
version = 1
lease = "30s"
key_header = "Idempotency-Key"

[payload]
a = { type = "string" }
owner = "me"

[claim]
summary = "Once."
every = "1m"
ttl = "30d"
"#;
    a_merge_conflict: r#"contract = 1
workflow = "a"
version = 1
owner = "me"
summary = "Once."
<<<<<<< HEAD
strategy = "table"
=======
strategy = "external"
>>>>>>> branch

[trigger]
kind = "http"

[payload]
a = { type = "string" }
"#;
    a_file_of_another_tool: "[package]\nname = \"refund\"\nversion = \"0.1.0\"\n\n[dependencies]\nserde = \"1\"\n";
    yaml_in_place_of_toml: "contract: 1\nworkflow: refund-order\ntrigger:\n  kind: webhook\nkey:\n  fields:\n    - refund_id\n";
    an_empty_file: "";
    a_text_that_never_ends: "contract = 1\nworkflow = \"a\"\nsummary = \"\"\"\nversion = 1\n[trigger]\nkind = \"http\"\n";
    unreadable_dates_and_numbers: r#"contract = 1
workflow = "a"
version = 1.0
owner = "me"
summary = "Once."

[trigger]
kind = "http"

[payload]
a = { type = "string" }

[key]
fields = ["a"]

[[key.previous]]
version = 01
fields = ["a"]
until = 2027-13-01

[[key.previous]]
version = 0x0
fields = ["a"]
until = "2027-03-01"

[[allow]]
rule = "clock-in-kee"
until = 2027-03-01T10:00:00Z

[response]
max_bytes = 64_KiB
"#;
    names_that_are_not_in_the_payload: r#"contract = 1
workflow = "a"
version = 1
owner = "me"
summary = "Once."

[trigger]
kind = "http"

[payload]
customer.id = { type = "uuid" }
customer.mail = { type = "string" }
order_id = { type = "string" }

[key]
fields = ["customer.id"]
tenant = "order_id"

[request]
hash = ["customerId", "order-id", "total"]

[ordering]
entity = ["order_id", "custmer.id"]
version = "seq"
"#;
}
