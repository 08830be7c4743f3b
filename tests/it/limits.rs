//! Numbers that the linter and the runtime must agree on.

#[test]
fn the_linter_and_the_runtime_digest_keys_of_one_length() {
    assert_eq!(idem_contract::MAX_KEY_BYTES, idem::Key::MAX_BYTES);
}
