//! Where one statement ends and the next begins, also when the first lacks its closing bracket.

use toml_parser::lexer::{Token, TokenKind};

use crate::Span;

/// The index behind the statement that starts at `start`, its line break included. `open` is
/// scratch space.
///
/// Inside an open bracket a line break ends the statement only where the next line cannot go on
/// with it: `key =` directly inside `[`, a header inside either bracket, or `key =` inside `{`
/// where no comma came before.
pub(super) fn statement_end(
    text: &str,
    tokens: &[Token],
    start: usize,
    open: &mut Vec<TokenKind>,
) -> usize {
    open.clear();
    let is_header = tokens[start].kind() == TokenKind::LeftSquareBracket;
    let mut seen_equals = false;
    let mut last = TokenKind::Newline;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        match token.kind() {
            TokenKind::Newline => {
                let next = at + 1;
                if open.is_empty()
                    || (open.last() == Some(&TokenKind::LeftSquareBracket)
                        && (starts_pair(tokens, next) || is_header_line(text, tokens, next)))
                    || (open.last() == Some(&TokenKind::LeftCurlyBracket)
                        && (is_header_line(text, tokens, next)
                            || (!matches!(last, TokenKind::Comma | TokenKind::LeftCurlyBracket)
                                && starts_pair(tokens, next))))
                {
                    return next;
                }
                continue;
            }
            TokenKind::Whitespace | TokenKind::Comment | TokenKind::Eof => continue,
            TokenKind::Equals => seen_equals = true,
            TokenKind::LeftSquareBracket | TokenKind::LeftCurlyBracket
                if seen_equals && !is_header =>
            {
                open.push(token.kind());
            }
            TokenKind::RightSquareBracket | TokenKind::RightCurlyBracket => {
                open.pop();
            }
            TokenKind::LeftSquareBracket
            | TokenKind::LeftCurlyBracket
            | TokenKind::Dot
            | TokenKind::Comma
            | TokenKind::LiteralString
            | TokenKind::BasicString
            | TokenKind::MlLiteralString
            | TokenKind::MlBasicString
            | TokenKind::Atom => {}
        }
        last = token.kind();
    }
    tokens.len()
}

fn skip_space(tokens: &[Token], at: usize) -> usize {
    match tokens.get(at).map(Token::kind) {
        Some(TokenKind::Whitespace) => at + 1,
        _ => at,
    }
}

/// The index behind a dotted key at `at`, with the white space behind it.
fn skip_key(tokens: &[Token], at: usize) -> Option<usize> {
    let mut at = skip_space(tokens, at);
    loop {
        match tokens.get(at).map(Token::kind) {
            Some(TokenKind::Atom | TokenKind::BasicString | TokenKind::LiteralString) => {}
            _ => return None,
        }
        at = skip_space(tokens, at + 1);
        if tokens.get(at).map(Token::kind) != Some(TokenKind::Dot) {
            return Some(at);
        }
        at = skip_space(tokens, at + 1);
    }
}

fn starts_pair(tokens: &[Token], at: usize) -> bool {
    skip_key(tokens, at)
        .is_some_and(|at| tokens.get(at).map(Token::kind) == Some(TokenKind::Equals))
}

/// `[name]` or `[[name]]` alone on its line, with a name that is no value of an array; also when it
/// lacks one of its closing brackets.
fn is_header_line(text: &str, tokens: &[Token], at: usize) -> bool {
    let mut at = skip_space(tokens, at);
    let mut brackets = 0;
    while brackets < 2 && tokens.get(at).map(Token::kind) == Some(TokenKind::LeftSquareBracket) {
        brackets += 1;
        at += 1;
    }
    let is_name = tokens.get(skip_space(tokens, at)).is_some_and(|token| {
        let word = &text[token.span().start()..token.span().end()];
        token.kind() == TokenKind::Atom
            && word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && !matches!(word, "true" | "false" | "inf" | "nan")
    });
    if brackets == 0 || !is_name {
        return false;
    }
    let Some(mut at) = skip_key(tokens, at) else {
        return false;
    };
    if tokens.get(at).map(Token::kind) != Some(TokenKind::RightSquareBracket) {
        return false;
    }
    while tokens.get(at).map(Token::kind) == Some(TokenKind::RightSquareBracket) {
        at += 1;
    }
    matches!(
        tokens.get(skip_space(tokens, at)).map(Token::kind),
        Some(TokenKind::Newline | TokenKind::Comment | TokenKind::Eof) | None
    )
}

/// From the first token to the last that is neither white space nor a comment.
pub(super) fn statement_span(tokens: &[Token]) -> Span {
    let start = tokens.first().map_or(0, |token| token.span().start());
    let end = (tokens.iter().rev())
        .find(|token| {
            !matches!(
                token.kind(),
                TokenKind::Whitespace | TokenKind::Comment | TokenKind::Newline | TokenKind::Eof
            )
        })
        .map_or(start, |token| token.span().end());
    Span::new(start, end)
}

/// `claim]`: a header that lost its bracket.
pub(super) fn is_header_without_bracket(tokens: &[Token]) -> bool {
    let mut kinds = (tokens.iter().rev()).map(Token::kind).filter(|kind| {
        !matches!(
            kind,
            TokenKind::Whitespace | TokenKind::Comment | TokenKind::Newline | TokenKind::Eof
        )
    });
    kinds.next() == Some(TokenKind::RightSquareBracket)
        && kinds.all(|kind| {
            matches!(
                kind,
                TokenKind::Atom
                    | TokenKind::Dot
                    | TokenKind::BasicString
                    | TokenKind::LiteralString
            )
        })
}
