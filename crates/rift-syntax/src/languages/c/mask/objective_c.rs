//! Objective-C in headers: what the C grammar has no idea of is masked, so that the C around it is read.

use super::Mask;
use super::tokens::{Kind, Token};

/// Macros that head an enumeration: `typedef NS_ENUM(NSInteger, Name) {`.
const ENUM_MACROS: [&str; 6] = ["NS_ENUM", "NS_OPTIONS", "NS_CLOSED_ENUM", "NS_ERROR_ENUM", "CF_ENUM", "CF_OPTIONS"];

/// Masks interfaces, protocols, forward declarations and literals; makes plain enumerations of the macro ones.
pub(super) fn resolve(tokens: &mut Vec<Token>, mask: &mut Mask<'_>) {
    let text = mask.text;
    let mut dead = vec![false; tokens.len()];
    // Past the last `@end` no block ends.
    let ends =
        (1..tokens.len()).rev().find(|i| tokens[*i].text(text) == "end" && tokens[*i - 1].kind == Kind::Sign(b'@'));
    let ends = ends.unwrap_or(0);
    let mut i = 0;
    while i < tokens.len() {
        let word = |at: usize| tokens.get(at).map_or("", |t| if t.kind == Kind::Word { t.text(text) } else { "" });
        let last = if tokens[i].kind == Kind::Sign(b'@') {
            match word(i + 1) {
                "interface" | "implementation" if i >= ends => None,
                "interface" | "implementation" => block_end(tokens, text, i),
                "protocol" => match tokens.get(i + 3).map(|t| t.kind) {
                    Some(Kind::Sign(b';' | b',')) => semicolon(tokens, i),
                    _ if i >= ends => None,
                    _ => block_end(tokens, text, i),
                },
                "class" | "import" | "compatibility_alias" => semicolon(tokens, i),
                _ => None,
            }
        } else {
            None
        };
        if let Some(last) = last {
            for at in i..=last {
                // Macros defined in between are macros.
                if !matches!(tokens[at].kind, Kind::Directive | Kind::If | Kind::Else | Kind::Endif) {
                    mask.blank(tokens[at].start as usize, tokens[at].end as usize);
                    dead[at] = true;
                }
            }
            i = last + 1;
            continue;
        }
        if ENUM_MACROS.contains(&word(i)) && tokens.get(i + 1).is_some_and(|t| t.kind == Kind::Sign(b'(')) {
            enumeration(tokens, mask, &mut dead, i);
        }
        i += 1;
    }
    if dead.contains(&true) {
        let mut i = 0;
        tokens.retain(|_| {
            i += 1;
            !dead[i - 1]
        });
    }
}

fn semicolon(tokens: &[Token], from: usize) -> Option<usize> {
    (from..tokens.len()).find(|i| tokens[*i].kind == Kind::Sign(b';'))
}

/// The `end` of the next `@end`.
fn block_end(tokens: &[Token], text: &str, from: usize) -> Option<usize> {
    (from..tokens.len().saturating_sub(1))
        .find(|i| tokens[*i].kind == Kind::Sign(b'@') && tokens[i + 1].text(text) == "end")
        .map(|i| i + 1)
}

/// `typedef NS_ENUM(NSInteger, Name) {` becomes `enum Name {`.
fn enumeration(tokens: &mut [Token], mask: &mut Mask<'_>, dead: &mut [bool], at: usize) {
    let close = (at..tokens.len().min(at + 8)).find(|i| tokens[*i].kind == Kind::Sign(b')'));
    let Some(close) = close else { return };
    if tokens.get(close + 1).is_none_or(|t| t.kind != Kind::Sign(b'{')) || tokens[close - 1].kind != Kind::Word {
        return;
    }
    if let Some(before) = at.checked_sub(1).filter(|b| tokens[*b].text(mask.text) == "typedef") {
        mask.blank(tokens[before].start as usize, tokens[before].end as usize);
        dead[before] = true;
    }
    let named = close > at + 3;
    for gone in at + 1..=close {
        if !(named && gone == close - 1) {
            mask.blank(tokens[gone].start as usize, tokens[gone].end as usize);
            dead[gone] = true;
        }
    }
    mask.blank(tokens[at].start as usize, tokens[at].end as usize);
    mask.put(tokens[at].start as usize, b"enum");
}
