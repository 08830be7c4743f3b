//! Leaves fields out of a result before it is stored: `{"id":1,"reason":"late"}` without `reason` is
//! `{"id":1,"reason":null}`.
//!
//! The rest of the bytes stay as they are: a tree in between would round numbers and reorder members.

/// The value without the fields of those dotted names. A name that meets a list means the field of
/// each of its elements; a name that meets nothing changes nothing.
///
/// The bytes are what `serde_json` wrote: valid, and without white space between tokens.
pub(super) fn redact(bytes: &[u8], fields: &[&str]) -> Vec<u8> {
    let mut json = Json {
        bytes,
        at: 0,
        out: Vec::with_capacity(bytes.len()),
    };
    json.copy(fields);
    json.out
}

struct Json<'b> {
    bytes: &'b [u8],
    at: usize,
    out: Vec<u8>,
}

impl<'b> Json<'b> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Copies one sign.
    fn sign(&mut self) {
        self.out.extend(self.peek());
        self.at += 1;
    }

    /// Copies the value that begins here, without those fields of it.
    fn copy(&mut self, fields: &[&str]) {
        match self.peek() {
            Some(b'{') if !fields.is_empty() => self.members(fields),
            Some(b'[') if !fields.is_empty() => self.elements(fields),
            Some(_) | None => {
                let value = self.value();
                self.out.extend_from_slice(value);
            }
        }
    }

    fn members(&mut self, fields: &[&str]) {
        self.sign();
        while let Some(sign) = self.peek() {
            match sign {
                b'}' => return self.sign(),
                b'"' => {
                    let name = self.value();
                    self.out.extend_from_slice(name);
                    self.sign();
                    self.member(name, fields);
                }
                _ => self.sign(),
            }
        }
    }

    /// Copies the value of the member of that name, as it is written.
    fn member(&mut self, name: &[u8], fields: &[&str]) {
        let name: String = serde_json::from_slice(name).unwrap_or_default();
        if fields.contains(&name.as_str()) {
            self.value();
            return self.out.extend_from_slice(b"null");
        }
        let below: Vec<&str> = fields
            .iter()
            .filter_map(|field| field.strip_prefix(name.as_str())?.strip_prefix('.'))
            .collect();
        self.copy(&below);
    }

    fn elements(&mut self, fields: &[&str]) {
        self.sign();
        while let Some(sign) = self.peek() {
            match sign {
                b']' => return self.sign(),
                b',' => self.sign(),
                _ => self.copy(fields),
            }
        }
    }

    /// Passes over the value that begins here.
    fn value(&mut self) -> &'b [u8] {
        let start = self.at;
        let mut depth = 0_usize;
        while let Some(sign) = self.peek() {
            match sign {
                b'"' => self.text(),
                b'{' | b'[' => depth += 1,
                b'}' | b']' if depth == 0 => break,
                b'}' | b']' => depth -= 1,
                b',' | b':' if depth == 0 => break,
                _ => {}
            }
            self.at += 1;
        }
        &self.bytes[start..self.at]
    }

    /// Goes to the closing sign of the text that begins here.
    fn text(&mut self) {
        self.at += 1;
        while let Some(sign) = self.peek() {
            match sign {
                b'"' => return,
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::redact;

    fn redacted(text: &str, fields: &[&str]) -> String {
        String::from_utf8(redact(text.as_bytes(), fields)).expect("it is text")
    }

    #[test]
    fn a_field_becomes_null_and_the_rest_stays_byte_for_byte() {
        let cases = [
            (
                r#"{"id":1,"reason":"late"}"#,
                &["reason"][..],
                r#"{"id":1,"reason":null}"#,
            ),
            (
                r#"{"z":340282366920938463463374607431768211455,"a":1.10,"reason":{"x":[1,{"y":"}"}]}}"#,
                &["reason"],
                r#"{"z":340282366920938463463374607431768211455,"a":1.10,"reason":null}"#,
            ),
            (
                r#"{"a":{"reason":1},"b":{"reason":2}}"#,
                &["b.reason"],
                r#"{"a":{"reason":1},"b":{"reason":null}}"#,
            ),
            (
                r#"[{"a":"\"]","iban":"DE"},{"a":[],"iban":null},[]]"#,
                &["iban"],
                r#"[{"a":"\"]","iban":null},{"a":[],"iban":null},[]]"#,
            ),
            (
                r#"{"people":[{"n":{"first":"A","last":"B"}},{}]}"#,
                &["people.n.first", "people.n.last"],
                r#"{"people":[{"n":{"first":null,"last":null}},{}]}"#,
            ),
            (
                r#"{"a.b":1,"a":{"b":2}}"#,
                &["a.b"],
                r#"{"a.b":null,"a":{"b":null}}"#,
            ),
            (
                r#"{"r\u00e9ason":"x","reasons":1}"#,
                &["réason", "reason"],
                r#"{"r\u00e9ason":null,"reasons":1}"#,
            ),
            ("{}", &["a"], "{}"),
            ("[]", &["a"], "[]"),
            (r#""a,b""#, &["a"], r#""a,b""#),
            ("17", &["a"], "17"),
            ("null", &["a"], "null"),
        ];
        for (text, fields, expected) in cases {
            assert_eq!(redacted(text, fields), expected);
        }
    }

    #[test]
    fn nothing_to_leave_out_changes_no_byte() {
        let text = r#"{"a":[1,2,{"b":"\\\"x"}],"c":{"d":{}},"e":-1e5,"f":true}"#;
        assert_eq!(redacted(text, &[]), text);
        assert_eq!(redacted(text, &["g", "a.g", "c.d.g", "e.g"]), text);
    }
}
