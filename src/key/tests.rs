use std::borrow::Cow;
use std::num::NonZero;
use std::sync::Arc;

use proptest::prelude::*;

use super::*;

fn key_of<T>(parts: &T) -> Result<Key, KeyError>
where
    T: KeyPart + ?Sized,
{
    let mut key = KeyBuilder::new("refund-order", 2);
    key.add(parts);
    key.finish()
}

fn text_of<T: KeyPart + ?Sized>(parts: &T) -> String {
    key_of(parts).map_or_else(|error| format!("refused: {error}"), |key| key.to_string())
}

fn kind_of<T: KeyPart + ?Sized>(parts: &T) -> Option<KeyErrorKind> {
    key_of(parts).err().map(|error| error.kind().clone())
}

/// Parts whose number is known at run time only.
struct Texts(Vec<String>);

impl Known for Texts {
    type Class = Stable;
}
impl KeyPart for Texts {
    fn encode(&self, parts: &mut Parts) {
        for text in &self.0 {
            parts.text(text);
        }
    }
}

#[test]
fn a_key_reads_as_workflow_version_and_parts() {
    assert_eq!(text_of(&("acme", 4711_u64)), "refund-order:v2:acme:4711");
}

#[test]
fn a_consumer_stands_behind_the_workflow() {
    let mut key = KeyBuilder::scoped("refund-order", Some("billing"), 2);
    key.add("r_1");
    assert_eq!(
        key.finish().map(|key| key.to_string()),
        Ok("refund-order@billing:v2:r_1".to_owned())
    );
}

#[test]
fn a_consumer_cannot_pass_for_a_part() {
    let mut odd = KeyBuilder::scoped("refund-order", Some("a:v2:b"), 2);
    odd.add("c");
    assert_eq!(
        odd.finish().map(|key| key.to_string()),
        Ok("refund-order@a%3Av2%3Ab:v2:c".to_owned())
    );
}

#[test]
fn what_separates_and_what_cannot_be_printed_is_encoded_in_upper_case_hex() {
    assert_eq!(text_of("a:b%c d~!"), "refund-order:v2:a%3Ab%25c%20d~!");
    assert_eq!(text_of("Zoë\u{7f}\n"), "refund-order:v2:Zo%C3%AB%7F%0A");
}

#[test]
fn composed_and_decomposed_text_is_one_key() {
    assert_eq!(text_of("Cafe\u{301}"), text_of("Caf\u{e9}"));
    assert_eq!(text_of("Caf\u{e9}"), "refund-order:v2:Caf%C3%A9");
}

#[test]
fn case_is_kept() {
    assert_ne!(text_of("ORDER-1"), text_of("order-1"));
}

#[test]
fn neighbours_do_not_run_together() {
    assert_ne!(text_of(&("1", "23")), text_of(&("12", "3")));
    assert_ne!(text_of(&("aa", "b")), text_of(&("a", "ab")));
    assert_ne!(text_of(&("a:b", "c")), text_of(&("a", "b:c")));
    assert_ne!(text_of(&("a%3Ab",)), text_of(&("a:b",)));
}

#[test]
fn every_stable_type_has_its_text() {
    let table = [
        (text_of(&-7_i8), "-7"),
        (
            text_of(&i128::MIN),
            "-170141183460469231731687303715884105728",
        ),
        (
            text_of(&u128::MAX),
            "340282366920938463463374607431768211455",
        ),
        (text_of(&NonZero::<u32>::MIN), "1"),
        (text_of(&true), "true"),
        (text_of(&[0xab_u8, 0x0c]), "ab0c"),
        (text_of(&Cow::Borrowed("x")), "x"),
        (text_of(&Box::<str>::from("x")), "x"),
        (text_of(&Arc::<str>::from("x")), "x"),
        (text_of(&Arc::new(5_u16)), "5"),
        (text_of(&&mut "x".to_owned()), "x"),
        (text_of(&(1_u8, (2_u8, "3"))), "1:2:3"),
    ];
    for (text, expected) in table {
        assert_eq!(text, format!("refund-order:v2:{expected}"));
    }
}

#[cfg(feature = "uuid")]
#[test]
fn a_uuid_is_lower_case_and_hyphenated() {
    let id = uuid::Uuid::from_u128(0xA1A2_A3A4_B1B2_C1C2_D1D2_D3D4_D5D6_D7D8);
    assert_eq!(
        text_of(&id),
        "refund-order:v2:a1a2a3a4-b1b2-c1c2-d1d2-d3d4d5d6d7d8"
    );
    assert_eq!(
        kind_of(&uuid::Uuid::nil()),
        Some(KeyErrorKind::PlaceholderUuid(Place(1)))
    );
    assert_eq!(
        kind_of(&uuid::Uuid::max()),
        Some(KeyErrorKind::PlaceholderUuid(Place(1)))
    );
}

#[cfg(feature = "rust_decimal")]
#[test]
fn a_decimal_has_no_trailing_zeros_and_no_minus_zero() {
    use rust_decimal::Decimal;
    let of = |digits: i64, scale: u32| text_of(&Decimal::new(digits, scale));
    assert_eq!(of(150, 2), "refund-order:v2:1.5");
    assert_eq!(of(15, 1), "refund-order:v2:1.5");
    assert_eq!(of(-5, 3), "refund-order:v2:-0.005");
    assert_eq!(text_of(&-Decimal::new(0, 2)), "refund-order:v2:0");
}

#[cfg(all(feature = "chrono", feature = "time", feature = "jiff"))]
#[test]
fn a_civil_date_is_written_alike_by_every_library() -> Result<(), Box<dyn std::error::Error>> {
    let dates = [
        text_of(&chrono::NaiveDate::from_ymd_opt(2026, 3, 1).ok_or("no such date")?),
        text_of(&time::Date::from_calendar_date(
            2026,
            time::Month::March,
            1,
        )?),
        text_of(&jiff::civil::Date::new(2026, 3, 1)?),
    ];
    assert_eq!(dates, ["refund-order:v2:2026-03-01"; 3]);
    let early = [
        text_of(&chrono::NaiveDate::from_ymd_opt(-12, 3, 1).ok_or("no such date")?),
        text_of(&time::Date::from_calendar_date(-12, time::Month::March, 1)?),
        text_of(&jiff::civil::Date::new(-12, 3, 1)?),
    ];
    assert_eq!(early, ["refund-order:v2:-000012-03-01"; 3]);
    Ok(())
}

#[test]
fn text_that_a_contract_declares_a_uuid_or_a_number_is_one_part_however_it_is_written() {
    let key = |kind: FieldType, part: &str| {
        let mut builder = KeyBuilder::new("refund-order", 1);
        declared(&mut builder, kind);
        builder.add(part);
        builder.add("A-1");
        builder.finish().map(|key| key.as_str().to_owned())
    };
    let wrong = |kind, part| key(kind, part).err().map(|error| error.kind().clone());

    let uuid = "refund-order:v1:67e55044-10b1-426f-9247-bb680e5fe0c8:A-1";
    for written in [
        "67E55044-10B1-426F-9247-BB680E5FE0C8",
        "67e5504410b1426f9247bb680e5fe0c8",
    ] {
        assert_eq!(key(FieldType::Uuid, written).as_deref(), Ok(uuid));
    }
    assert_eq!(
        key(FieldType::Decimal, "1.50").as_deref(),
        Ok("refund-order:v1:1.5:A-1")
    );
    assert_eq!(
        key(FieldType::Integer, "007").as_deref(),
        Ok("refund-order:v1:7:A-1")
    );

    let other = |kind| Some(KeyErrorKind::OtherType(Place(1), kind));
    assert_eq!(wrong(FieldType::Uuid, "order-7"), other(FieldType::Uuid));
    assert_eq!(wrong(FieldType::Integer, "7.5"), other(FieldType::Integer));
    assert_eq!(wrong(FieldType::Boolean, "yes"), other(FieldType::Boolean));
    assert_eq!(
        wrong(FieldType::Uuid, "00000000-0000-0000-0000-000000000000"),
        Some(KeyErrorKind::PlaceholderUuid(Place(1)))
    );
    assert_eq!(
        wrong(FieldType::Uuid, " "),
        Some(KeyErrorKind::BlankPart(Place(1)))
    );
}

#[test]
fn a_missing_identity_is_refused_at_its_place() {
    assert_eq!(kind_of(&("a", "")), Some(KeyErrorKind::EmptyPart(Place(2))));
    assert_eq!(kind_of(&[0_u8; 0]), Some(KeyErrorKind::EmptyPart(Place(1))));
    for blank in [" ", "\t\n", "\u{a0}\u{2003}", "\u{200b}", "\u{feff} ", "\0"] {
        assert_eq!(
            kind_of(&("a", "b", blank)),
            Some(KeyErrorKind::BlankPart(Place(3))),
            "{blank:?}"
        );
    }
    for placeholder in [
        "00000000-0000-0000-0000-000000000000",
        "00000000000000000000000000000000",
        "FFFFFFFF-ffff-ffff-ffff-ffffffffffff",
    ] {
        assert_eq!(
            kind_of(placeholder),
            Some(KeyErrorKind::PlaceholderUuid(Place(1)))
        );
    }
    assert_eq!(kind_of(&Texts(Vec::new())), Some(KeyErrorKind::NoParts));
    assert_eq!(
        kind_of(&sha256("")),
        Some(KeyErrorKind::EmptyPart(Place(1)))
    );
    assert_eq!(
        kind_of(&lower(" ")),
        Some(KeyErrorKind::BlankPart(Place(1)))
    );
}

#[test]
fn zeros_that_are_no_uuid_are_honest_parts() {
    assert_eq!(text_of("0"), "refund-order:v2:0");
    assert_eq!(
        text_of("00000000-0000-0000-0000-00000000000a"),
        "refund-order:v2:00000000-0000-0000-0000-00000000000a"
    );
}

#[test]
fn a_class_stated_by_hand_is_refused_at_run_time_too() {
    let mut parts = Parts::starting_with("w:v1".to_owned());
    <Clock as Writes<u8>>::write(&1, &mut parts);
    assert_eq!(parts.finish(), Err(KeyErrorKind::UnstablePart(Place(1))));
}

#[test]
fn a_long_text_is_stored_as_its_digest() -> Result<(), KeyError> {
    let fits = "x".repeat(Key::MAX_BYTES - "refund-order:v2:".len());
    assert_eq!(key_of(&fits)?.as_str().len(), Key::MAX_BYTES);

    let long = key_of(&format!("{fits}x"))?;
    let digest = long.as_str().strip_prefix("refund-order:v2:%sha256:");
    assert_eq!(digest.map(str::len), Some(64), "{long}");
    assert_ne!(long, key_of(&format!("{fits}y"))?);
    assert_eq!(long, key_of(&format!("{fits}x"))?);
    Ok(())
}

#[test]
fn an_absurd_text_is_refused_before_any_store_is_asked() {
    let absurd = "k9".repeat(5000);
    assert!(matches!(kind_of(&absurd), Some(KeyErrorKind::TooLong { bytes }) if bytes > 10_000));
    // Encoding triples this one: each part is short, the whole is not.
    let many = Texts(vec!["€".repeat(300); 10]);
    assert!(matches!(kind_of(&many), Some(KeyErrorKind::TooLong { .. })));
    let message = key_of(&absurd).map_err(|error| error.to_string());
    assert_eq!(
        message,
        Err("making a key of `refund-order`: its parts take 10016 bytes or more, and 8192 is the limit; use the identifier of the event, not its content".to_owned())
    );
}

#[test]
fn built_ins_are_computed_from_the_part_alone() {
    assert_eq!(
        text_of(&lower("STRASSE Ä")),
        "refund-order:v2:strasse%20%C3%A4"
    );
    assert_eq!(
        text_of(&sha256("abc")),
        "refund-order:v2:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    );
    assert_eq!(
        text_of(&sha256("Cafe\u{301}")),
        text_of(&sha256("Caf\u{e9}"))
    );
    assert_ne!(
        text_of(&sha256(&("1", "23"))),
        text_of(&sha256(&("12", "3")))
    );
    assert_eq!(text_of(trust("abc", "the source pads it")), text_of("abc"));
    let document = "d".repeat(100_000);
    assert!(
        key_of(&sha256(&document)).is_ok(),
        "a digest has room for a document"
    );
}

#[test]
fn built_ins_pass_a_purity_proof() {
    const fn pure(email: &String, id: &u64) {
        let _ = std::mem::ManuallyDrop::new(sha256(email));
        let _ = std::mem::ManuallyDrop::new(sha256(id));
        let _ = std::mem::ManuallyDrop::new(lower(email));
        let _ = trust(email, "stated");
    }
    pure(&String::new(), &1);
}

#[test]
fn a_stored_key_reads_back_and_nothing_else_does() -> Result<(), KeyError> {
    let long = key_of("x".repeat(400).as_str())?;
    for key in [key_of(&("a b", 1_u8))?, long] {
        assert_eq!(Key::from_stored(key.as_str())?, key);
    }
    for wrong in [
        "",
        "a",
        "a:v1",
        "a:v1:",
        ":v1:a",
        "a:1:b",
        "a:v01:b",
        "a:v1:b:",
        "a:v1:b c",
        "a:v1:%3a",
        "a:v1:%4",
        "a:v1:%sha256:00",
        "a:v1:x:%sha256:0",
        "a:v4294967296:b",
        "a:v1:é",
    ] {
        let read = Key::from_stored(wrong).map_err(|error| error.kind().clone());
        assert_eq!(read, Err(KeyErrorKind::Malformed), "{wrong:?}");
    }
    Ok(())
}

#[test]
fn decimals_are_written_out() {
    let table = [
        ("1.50", Some("1.5")),
        ("15e-1", Some("1.5")),
        ("+01.5E+2", Some("150")),
        ("-0.00", Some("0")),
        ("-0.5e-2", Some("-0.005")),
        ("1e3", Some("1000")),
        ("100", Some("100")),
        ("0.10", Some("0.1")),
        ("", None),
        ("-", None),
        (".5", None),
        ("5.", None),
        ("1.2.3", None),
        ("1e", None),
        ("1e+", None),
        ("0x10", None),
        ("1 000", None),
        ("NaN", None),
        ("inf", None),
        ("1e-1000", None),
        ("1e999999999999", None),
        ("1e9999999999999999999999", None),
    ];
    for (written, expected) in table {
        assert_eq!(canonical_decimal(written).as_deref(), expected, "{written}");
    }
}

fn part_text() -> impl Strategy<Value = String> {
    // Heavy on what encoding must not confuse.
    prop_oneof!["[a-c:%3A ]{1,6}", "\\PC{1,8}", "[0-9a-f]{1,70}"]
}

proptest! {
    #[test]
    fn two_lists_of_parts_never_give_one_key(
        one in prop::collection::vec(part_text(), 1..5),
        other in prop::collection::vec(part_text(), 1..5),
    ) {
        let normal = |parts: &[String]| -> Vec<String> { parts.iter().map(|part| nfc(part).into_owned()).collect() };
        if let (Ok(first), Ok(second)) = (key_of(&Texts(one.clone())), key_of(&Texts(other.clone()))) {
            prop_assert_eq!(first == second, normal(&one) == normal(&other), "{} {}", first, second);
        }
    }

    #[test]
    fn cutting_one_text_in_two_places_never_gives_one_key(text in "[ab:%é1]{2,8}", one in 1_usize..8, other in 1_usize..8) {
        let cut = |at: usize| {
            let chars: Vec<char> = text.chars().collect();
            let at = at.min(chars.len() - 1);
            Texts(vec![chars[..at].iter().collect(), chars[at..].iter().collect()])
        };
        let (one, other) = (cut(one), cut(other));
        prop_assert_eq!(key_of(&one)? == key_of(&other)?, one.0 == other.0);
    }

    #[test]
    fn any_text_is_a_storable_key_or_refused(text in any::<String>()) {
        if let Ok(key) = key_of(&text) {
            prop_assert!(key.as_str().len() <= Key::MAX_BYTES);
            prop_assert!(key.as_str().bytes().all(|byte| matches!(byte, b'!'..=b'~')));
            prop_assert_eq!(Key::from_stored(key.as_str())?, key);
        }
    }

    #[test]
    fn one_number_has_one_decimal_text(digits in any::<i64>(), zeros in 0_usize..5, shift in 0_i32..6) {
        let plain = canonical_decimal(&digits.to_string());
        let point = if zeros == 0 { "" } else { "." };
        prop_assert_eq!(&canonical_decimal(&format!("{digits}{point}{}", "0".repeat(zeros))), &plain);
        let scaled = i128::from(digits) * 10_i128.pow(shift.unsigned_abs());
        prop_assert_eq!(&canonical_decimal(&format!("{scaled}e-{shift}")), &plain);
    }
}
