use std::collections::HashMap;

use serde::Serialize;
use serde_json::json;

use super::*;

fn of<T: Serialize + ?Sized>(kind: FieldType, value: &T) -> Result<Fingerprint, KeyError> {
    let mut request = Fingerprint::recipe("refund-order", 1);
    request.field("f", kind, value);
    request.finish()
}

fn canonical_of(kind: FieldType, value: &(impl Serialize + ?Sized)) -> String {
    let tree = Tree::of(value).and_then(|tree| normal::field(kind, tree));
    match tree.and_then(|tree| tree::canonical(&tree)) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(why) => format!("refused: {}", why.as_str()),
    }
}

/// What RFC 8785 itself makes of a JSON text, without this library's rules for numbers and text.
fn rfc_8785(json: &str) -> Result<String, Box<dyn std::error::Error>> {
    let value: serde_json::Value = serde_json::from_str(json)?;
    let bytes = tree::canonical(&Tree::of(&value)?)?;
    Ok(String::from_utf8(bytes)?)
}

#[test]
fn numbers_are_written_as_rfc_8785_appendix_b_says() {
    let table: [(u64, &str); 24] = [
        (0x0000_0000_0000_0000, "0"),
        (0x8000_0000_0000_0000, "0"),
        (0x0000_0000_0000_0001, "5e-324"),
        (0x8000_0000_0000_0001, "-5e-324"),
        (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
        (0xffef_ffff_ffff_ffff, "-1.7976931348623157e+308"),
        (0x4340_0000_0000_0000, "9007199254740992"),
        (0xc340_0000_0000_0000, "-9007199254740992"),
        (0x4430_0000_0000_0000, "295147905179352830000"),
        (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"),
        (0x44b5_2d02_c7e1_4af6, "1e+23"),
        (0x44b5_2d02_c7e1_4af7, "1.0000000000000001e+23"),
        (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"),
        (0x444b_1ae4_d6e2_ef4f, "999999999999999900000"),
        (0x444b_1ae4_d6e2_ef50, "1e+21"),
        (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"),
        (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
        (0x41b3_de43_5555_5553, "333333333.3333332"),
        (0x41b3_de43_5555_5554, "333333333.33333325"),
        (0x41b3_de43_5555_5555, "333333333.3333333"),
        (0x41b3_de43_5555_5556, "333333333.3333334"),
        (0x41b3_de43_5555_5557, "333333333.33333343"),
        (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
        (0x4314_3ff3_c1cb_0959, "1424953923781206.2"),
    ];
    for (bits, expected) in table {
        assert_eq!(
            canonical_of(FieldType::Float, &f64::from_bits(bits)),
            expected,
            "{bits:016x}"
        );
    }
    for bits in [0x7fff_ffff_ffff_ffff, 0x7ff0_0000_0000_0000] {
        assert_eq!(
            canonical_of(FieldType::Float, &f64::from_bits(bits)),
            "refused: is not a finite number"
        );
    }
}

#[test]
fn structures_are_written_as_rfc_8785_says() -> Result<(), Box<dyn std::error::Error>> {
    let table = [
        (
            r#"{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}"#,
            r#"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}"#,
        ),
        (
            r#"{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}"#,
            "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u{80}\":\"Control\",\"ö\":\"Latin Small Letter O With Diaeresis\",\"€\":\"Euro Sign\",\"😀\":\"Emoji: Grinning Face\",\"\u{fb33}\":\"Hebrew Letter Dalet With Dagesh\"}",
        ),
        (
            r#"[56,{"d":true,"10":null,"1":[]}]"#,
            r#"[56,{"1":[],"10":null,"d":true}]"#,
        ),
        (
            r#"{"peach":"This sorting order","péché":"is wrong according to French","pêche":"but canonicalization MUST","sin":"ignore locale"}"#,
            r#"{"peach":"This sorting order","péché":"is wrong according to French","pêche":"but canonicalization MUST","sin":"ignore locale"}"#,
        ),
        (
            r#"{"1":{"f":{"f":"hi","F":5},"\n":56.0},"10":{},"":"empty","a":{},"111":[{"e":"yes","E":"no"}],"A":{}}"#,
            r#"{"":"empty","1":{"\n":56,"f":{"F":5,"f":"hi"}},"10":{},"111":[{"E":"no","e":"yes"}],"A":{},"a":{}}"#,
        ),
        (
            r#"{"Unnormalized Unicode":"A\u030a"}"#,
            "{\"Unnormalized Unicode\":\"A\u{30a}\"}",
        ),
    ];
    for (written, expected) in table {
        assert_eq!(rfc_8785(written)?, expected);
    }
    Ok(())
}

#[test]
fn the_digest_is_the_sha_256_of_the_canonical_json() -> Result<(), KeyError> {
    let mut request = Fingerprint::recipe("refund-order", 7);
    request.field("order_id", FieldType::String, "o_1");
    request.field("amount", FieldType::Decimal, "12.50");
    let made = request.finish()?;
    let expected: [u8; 32] = Sha256::digest(br#"{"amount":"12.5","order_id":"o_1"}"#).into();
    assert_eq!((made.digest(), made.version()), (&expected, 7));
    Ok(())
}

#[test]
fn reordered_members_are_one_request_and_reordered_lists_are_two()
-> Result<(), Box<dyn std::error::Error>> {
    let read = |json: &str| serde_json::from_str::<serde_json::Value>(json);
    let one = of(
        FieldType::Object,
        &read(r#"{"a":1,"b":{"c":[1,2],"d":null}}"#)?,
    )?;
    assert_eq!(
        one,
        of(
            FieldType::Object,
            &read(r#" { "b" : {"c":[1,2]} , "a":1.0 }"#)?
        )?
    );
    assert_ne!(
        one,
        of(FieldType::Object, &read(r#"{"a":1,"b":{"c":[2,1]}}"#)?)?
    );
    let map = HashMap::from([("a", 1), ("b", 2), ("c", 3), ("d", 4)]);
    assert_eq!(
        canonical_of(FieldType::Object, &map),
        r#"{"a":1,"b":2,"c":3,"d":4}"#
    );
    Ok(())
}

#[test]
fn one_amount_is_one_request_however_it_is_written() -> Result<(), KeyError> {
    let amount = of(FieldType::Decimal, "1.50")?;
    assert_eq!(amount, of(FieldType::Decimal, "1.5")?);
    assert_eq!(amount, of(FieldType::Decimal, &1.5)?);
    assert_eq!(amount, of(FieldType::Decimal, &1.5_f32)?);
    assert_ne!(amount, of(FieldType::Decimal, "15.0")?);
    assert_eq!(canonical_of(FieldType::Decimal, &0.1_f32), r#""0.1""#);
    assert_eq!(canonical_of(FieldType::Decimal, &-0.0), r#""0""#);
    #[cfg(feature = "rust_decimal")]
    assert_eq!(
        amount,
        of(
            FieldType::Decimal,
            &rust_decimal::Decimal::new(150, 2).to_string()
        )?
    );
    Ok(())
}

#[test]
fn integers_beyond_two_to_the_53_are_text() {
    let table: [(String, &str); 7] = [
        (
            canonical_of(FieldType::Integer, &9_007_199_254_740_992_i64),
            "9007199254740992",
        ),
        (
            canonical_of(FieldType::Integer, &-9_007_199_254_740_992_i64),
            "-9007199254740992",
        ),
        (
            canonical_of(FieldType::Integer, &9_007_199_254_740_993_i64),
            r#""9007199254740993""#,
        ),
        (
            canonical_of(FieldType::Integer, &u128::MAX),
            r#""340282366920938463463374607431768211455""#,
        ),
        (canonical_of(FieldType::Integer, "0042"), "42"),
        (canonical_of(FieldType::Integer, &5.0), "5"),
        (
            canonical_of(FieldType::Object, &json!({"n": u64::MAX})),
            r#"{"n":"18446744073709551615"}"#,
        ),
    ];
    for (made, expected) in table {
        assert_eq!(made, expected);
    }
}

#[test]
fn missing_and_null_are_the_same() -> Result<(), KeyError> {
    let empty = Fingerprint::recipe("refund-order", 1).finish()?;
    assert_eq!(empty, of(FieldType::String, &None::<String>)?);
    assert_eq!(empty, of(FieldType::Integer, &json!(null))?);
    assert_ne!(empty, of(FieldType::String, "")?);
    assert_eq!(
        canonical_of(FieldType::Array, &json!([null, {"a": null}])),
        "[null,{}]"
    );
    Ok(())
}

#[test]
fn text_is_normalised_and_case_is_kept() -> Result<(), KeyError> {
    assert_eq!(
        of(FieldType::String, "Cafe\u{301}")?,
        of(FieldType::String, "Caf\u{e9}")?
    );
    assert_ne!(
        of(FieldType::String, "CAFE")?,
        of(FieldType::String, "cafe")?
    );
    assert_eq!(
        of(FieldType::Object, &json!({"e\u{301}": 1}))?,
        of(FieldType::Object, &json!({"\u{e9}": 1}))?
    );
    Ok(())
}

#[test]
fn uuids_and_bytes_have_one_form() {
    let id = "A1A2A3A4-B1B2-C1C2-D1D2-D3D4D5D6D7D8";
    let expected = r#""a1a2a3a4-b1b2-c1c2-d1d2-d3d4d5d6d7d8""#;
    assert_eq!(canonical_of(FieldType::Uuid, id), expected);
    assert_eq!(
        canonical_of(FieldType::Uuid, &id.replace('-', "")),
        expected
    );
    let bytes: [u8; 16] = [
        0xA1, 0xA2, 0xA3, 0xA4, 0xB1, 0xB2, 0xC1, 0xC2, 0xD1, 0xD2, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7,
        0xD8,
    ];
    assert_eq!(canonical_of(FieldType::Uuid, &bytes), expected);
    assert_eq!(
        canonical_of(FieldType::Bytes, &vec![0xAB_u8, 1]),
        r#""ab01""#
    );
}

#[test]
fn a_value_that_is_not_what_the_contract_says_is_refused_without_showing_it() {
    let message = |kind, value: serde_json::Value| {
        of(kind, &value)
            .map(|_| ())
            .map_err(|error| error.to_string())
    };
    let table = [
        (
            FieldType::Decimal,
            json!("secret"),
            "is declared a decimal and does not hold one",
        ),
        (
            FieldType::Integer,
            json!(1.5),
            "is declared an integer and does not hold one",
        ),
        (
            FieldType::Integer,
            json!("1.5"),
            "is declared an integer and does not hold one",
        ),
        (
            FieldType::Boolean,
            json!(1),
            "is declared a boolean and does not hold one",
        ),
        (
            FieldType::Uuid,
            json!("a-b"),
            "is declared a UUID and does not hold one",
        ),
        (
            FieldType::String,
            json!(1),
            "is declared a string and does not hold one",
        ),
        (
            FieldType::Float,
            json!("inf"),
            "is declared a float and does not hold one",
        ),
        (
            FieldType::Array,
            json!({}),
            "is declared an array and does not hold one",
        ),
        (
            FieldType::Object,
            json!([]),
            "is declared an object and does not hold one",
        ),
        (
            FieldType::Bytes,
            json!([256]),
            "is declared bytes and does not hold one",
        ),
    ];
    for (kind, value, why) in table {
        let expected = format!("hashing a request of `refund-order`: field `f` {why}");
        assert_eq!(message(kind, value), Err(expected));
    }
    let odd = HashMap::from([(vec![1], 1)]);
    assert_eq!(
        canonical_of(FieldType::Object, &odd),
        "refused: has a map whose keys are not text"
    );
    let twice = json!({"e\u{301}": 1, "\u{e9}": 2});
    assert_eq!(
        canonical_of(FieldType::Object, &twice),
        "refused: has two members of one name"
    );
}

#[test]
fn shapes_follow_serde_json() -> Result<(), Box<dyn std::error::Error>> {
    #[derive(Serialize)]
    enum Method {
        Card { last4: u16 },
        Cash,
        Transfer(&'static str),
        Split(u8, u8),
    }
    #[derive(Serialize)]
    struct Unit;
    #[derive(Serialize)]
    struct Order {
        methods: Vec<Method>,
        unit: Unit,
        letter: char,
        pair: (u8, bool),
        by_number: HashMap<u8, f32>,
    }
    let order = Order {
        methods: vec![
            Method::Card { last4: 42 },
            Method::Cash,
            Method::Transfer("x"),
            Method::Split(1, 2),
        ],
        unit: Unit,
        letter: 'l',
        pair: (1, true),
        by_number: HashMap::from([(7, 0.5)]),
    };
    let ours = String::from_utf8(tree::canonical(&Tree::of(&order)?)?)?;
    assert_eq!(
        ours,
        String::from_utf8(serde_json_canonicalizer::to_vec(&order)?)?
    );
    Ok(())
}

#[test]
fn a_mismatch_names_the_fields_and_never_the_values() -> Result<(), KeyError> {
    let make = |amount: &str, note: Option<&str>| {
        let mut request = Fingerprint::recipe("refund-order", 1);
        request.field("order_id", FieldType::String, "o_1");
        request.field("amount", FieldType::Decimal, amount);
        request.field("note", FieldType::String, &note);
        request.finish()
    };
    let plain = make("12.50", None)?;
    let (stored, noted) = (
        plain.field_digests(),
        make("12.50", Some("late"))?.field_digests(),
    );
    assert_eq!((stored.len(), noted.len()), (12, 18));
    let none = Vec::<String>::new();
    assert_eq!(make("12.5", None)?.differing_fields(&stored), none);
    assert_eq!(
        make("13", Some("late"))?.differing_fields(&stored),
        ["amount", "note"]
    );
    assert_eq!(
        plain.differing_fields(&noted),
        ["note"],
        "a value that is gone differs too"
    );
    assert_eq!(plain.differing_fields(b""), ["amount", "order_id"]);
    assert_eq!(
        plain.differing_fields(b"cut").len(),
        2,
        "a damaged list names everything"
    );
    Ok(())
}

#[test]
fn a_field_is_hashed_once() {
    let mut request = Fingerprint::recipe("refund-order", 1);
    request.field("a", FieldType::String, "x");
    request.field("a", FieldType::String, "x");
    let message = request
        .finish()
        .map(|_| ())
        .map_err(|error| error.to_string());
    assert_eq!(
        message,
        Err("hashing a request of `refund-order`: field `a` is hashed twice".to_owned())
    );
}
