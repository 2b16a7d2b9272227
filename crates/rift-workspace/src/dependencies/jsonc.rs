//! JSON with comments and trailing commas, as `bun.lock` and `tsconfig.json` are written.

use serde_json::Value;

/// Reads `text`: comments and a comma in front of a closing bracket are blanks, everything else is JSON.
pub(crate) fn parse(text: &str) -> Option<Value> {
    serde_json::from_str(&plain(text)).ok()
}

/// The same text as plain JSON. Strings are copied as they are.
fn plain(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out: Vec<u8> = Vec::with_capacity(bytes.len());
    // Where the last comma stands in `out`, while only blanks came behind it.
    let mut comma = None;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match (byte, bytes.get(at + 1)) {
            (b'"', _) => {
                let end = string_end(bytes, at);
                out.extend_from_slice(&bytes[at..end]);
                comma = None;
                at = end;
                continue;
            }
            (b'/', Some(b'/')) => {
                at = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |feed| at + feed);
                continue;
            }
            (b'/', Some(b'*')) => {
                let end = text.get(at + 2..).and_then(|rest| rest.find("*/"));
                at = end.map_or(bytes.len(), |end| at + 2 + end + 2);
                out.push(b' ');
                continue;
            }
            (b'}' | b']', _) => {
                if let Some(comma) = comma.take() {
                    out[comma] = b' ';
                }
            }
            (b',', _) => comma = Some(out.len()),
            (byte, _) if byte.is_ascii_whitespace() => {}
            _ => comma = None,
        }
        out.push(*byte);
        at += 1;
    }
    // Only whole comments and single ASCII bytes were taken out of UTF-8.
    String::from_utf8(out).unwrap_or_default()
}

/// One past the closing quote of the string that opens at `at`.
fn string_end(bytes: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while let Some(byte) = bytes.get(end) {
        match byte {
            b'\\' => end += 2,
            b'"' => return end + 1,
            _ => end += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_commas() {
        for (text, expected) in [
            ("{\"a\": [1, 2,], /* x, */ \"b\": \"//,]\",\n}", "{\"a\":[1,2],\"b\":\"//,]\"}"),
            ("// é\n[\"\\\",}\" , // last\n ]", "[\"\\\",}\"]"),
            ("[1,/*]*/]", "[1]"),
            ("\"é\"", "\"é\""),
        ] {
            let expected: Value = serde_json::from_str(expected).expect("plain JSON");
            assert_eq!(parse(text), Some(expected), "{text}");
        }
        for broken in ["[,]x", "[1,,]", "{", "\"a", "\"a\\", "/*", "[1 2]", ""] {
            assert_eq!(parse(broken), None, "{broken}");
        }
        assert_eq!(parse(&"[".repeat(100_000)), None);
    }
}
