//! Statements whose parameters are places.

/// A statement for a database whose parameters have places and no numbers. Its file writes `?/*3*/`
/// for the third value, as often as the statement needs it.
#[derive(Clone, Copy, Debug)]
pub struct Numbered {
    /// The text, as it is sent.
    pub sql: &'static str,
    numbers: [u8; Self::MOST],
    used: usize,
}

impl Numbered {
    const MOST: usize = 32;

    /// Which value belongs in each place, counted from 1.
    #[must_use]
    pub fn numbers(&self) -> &[u8] {
        &self.numbers[..self.used]
    }

    /// Reads a statement. **Panics** where a parameter has no number: for a constant, that stops the
    /// compiler.
    #[must_use]
    pub const fn of(sql: &'static str) -> Self {
        let bytes = sql.as_bytes();
        let mut numbered = Self {
            sql,
            numbers: [0; Self::MOST],
            used: 0,
        };
        let mut at = 0;
        while at < bytes.len() {
            if bytes[at] == b'?' {
                assert!(
                    bytes[at + 1] == b'/' && bytes[at + 2] == b'*',
                    "a parameter without a number"
                );
                at += 3;
                let mut number = 0;
                while bytes[at] != b'*' {
                    assert!(bytes[at].is_ascii_digit());
                    number = number * 10 + (bytes[at] - b'0');
                    at += 1;
                }
                assert!(number > 0);
                numbered.numbers[numbered.used] = number;
                numbered.used += 1;
            }
            at += 1;
        }
        numbered
    }
}
