//! Logical names: the hierarchy of packages, modules, containers and names that an identity spells.

use std::borrow::Cow;
use std::fmt;

/// A logical path in its encoded form: segments escaped by [`escape_segment`] and joined by `/`, as an
/// identity writes them. Empty means no segment.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, serde::Serialize, serde::Deserialize)]
pub struct NamePath(Box<str>);

/// Why a text is not a logical path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameError {
    /// A segment is empty, `.` or `..`, or holds a control character.
    Segment,
    /// A percent escape is malformed or does not decode to UTF-8.
    Encoding,
    /// The text is not the one spelling of its segments.
    Noncanonical,
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"._-!$&'()*+,;=:@".contains(&byte)
}

/// Percent-encodes every byte but ASCII letters, digits and `. _ - ! $ & ' ( ) * + , ; = : @`, in upper-case
/// hexadecimal. Characters that no name may hold (controls) are replaced by a space first, and the names `.` and
/// `..` are escaped whole, so that every name that a parser can meet has a spelling that parses back.
pub fn escape_segment(name: &str) -> Cow<'_, str> {
    if !name.is_empty() && name != "." && name != ".." && name.bytes().all(is_plain) {
        return Cow::Borrowed(name);
    }
    let mut out = String::with_capacity(name.len() + 8);
    if name.is_empty() || name == "." || name == ".." {
        // Not a legal name: keep it addressable under a visible stand-in.
        return Cow::Owned(format!("({name})"));
    }
    for c in name.chars() {
        let c = if c.is_control() { ' ' } else { c };
        let mut buffer = [0; 4];
        for byte in c.encode_utf8(&mut buffer).bytes() {
            if is_plain(byte) {
                out.push(byte as char);
            } else {
                use fmt::Write as _;
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    Cow::Owned(out)
}

/// Decodes one segment.
pub fn unescape_segment(segment: &str) -> Result<Cow<'_, str>, NameError> {
    if !segment.contains('%') {
        return Ok(Cow::Borrowed(segment));
    }
    let bytes = segment.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while i < bytes.len() {
        if bytes[i] == b'%' {
            let hex = segment.get(i + 1..i + 3).ok_or(NameError::Encoding)?;
            if !hex.bytes().all(|b| b.is_ascii_hexdigit()) {
                return Err(NameError::Encoding);
            }
            out.push(u8::from_str_radix(hex, 16).map_err(|_| NameError::Encoding)?);
            i += 3;
        } else {
            out.push(bytes[i]);
            i += 1;
        }
    }
    String::from_utf8(out).map(Cow::Owned).map_err(|_| NameError::Encoding)
}

impl NamePath {
    /// Encodes `names`.
    pub fn from_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let mut out = NamePathBuf::default();
        for name in names {
            out.push(name);
        }
        out.finish()
    }

    /// Takes an encoded path, checking that it is the canonical spelling of at least one name.
    pub fn parse(text: &str) -> Result<Self, NameError> {
        for segment in text.split('/') {
            let name = unescape_segment(segment)?;
            if name.is_empty() || name == "." || name == ".." || name.chars().any(char::is_control) {
                return Err(NameError::Segment);
            }
            if escape_segment(&name) != segment {
                return Err(NameError::Noncanonical);
            }
        }
        Ok(Self(text.into()))
    }

    /// The encoded text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether there is no segment.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The decoded names, outermost first.
    pub fn names(&self) -> impl DoubleEndedIterator<Item = Cow<'_, str>> {
        let text: &str = &self.0;
        text.split('/').filter(|s| !s.is_empty()).map(|s| unescape_segment(s).unwrap_or(Cow::Borrowed(s)))
    }

    /// The last name, decoded; empty without segments.
    pub fn name(&self) -> Cow<'_, str> {
        let last = self.0.rsplit('/').next().unwrap_or("");
        unescape_segment(last).unwrap_or(Cow::Borrowed(last))
    }

    /// The path without its last segment.
    pub fn container(&self) -> &str {
        self.0.rfind('/').map_or("", |slash| &self.0[..slash])
    }

    /// This path below `prefix`.
    pub fn below(&self, prefix: &NamePath) -> NamePath {
        match (prefix.is_empty(), self.is_empty()) {
            (true, _) => self.clone(),
            (_, true) => prefix.clone(),
            _ => Self(format!("{}/{}", prefix.0, self.0).into()),
        }
    }

    /// The decoded names joined by `separator`: the form that people read (`a::b`, `a.b`).
    pub fn display(&self, separator: &str) -> String {
        self.names().collect::<Vec<_>>().join(separator)
    }

    /// This path with one more, decoded, name.
    pub fn child(&self, name: &str) -> NamePath {
        let mut out = NamePathBuf(self.0.to_string());
        out.push(name);
        out.finish()
    }

    /// Bytes on the heap.
    pub fn heap_size(&self) -> usize {
        self.0.len()
    }
}

impl fmt::Display for NamePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for NamePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A logical path under construction.
#[derive(Debug, Clone, Default)]
pub struct NamePathBuf(String);

impl NamePathBuf {
    /// Appends one decoded name.
    pub fn push(&mut self, name: &str) {
        if !self.0.is_empty() {
            self.0.push('/');
        }
        self.0.push_str(&escape_segment(name));
    }

    /// The path.
    pub fn finish(self) -> NamePath {
        NamePath(self.0.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn escapes() {
        assert_eq!(escape_segment("operator<"), "operator%3C");
        assert_eq!(escape_segment("a/b~1 é"), "a%2Fb%7E1%20%C3%A9");
        assert_eq!(NamePath::parse("a/%2f"), Err(NameError::Noncanonical));
        assert_eq!(NamePath::parse("a/%41"), Err(NameError::Noncanonical));
        assert_eq!(NamePath::parse("a//b"), Err(NameError::Segment));
        assert_eq!(NamePath::parse("a/%"), Err(NameError::Encoding));
        assert_eq!(NamePath::parse("a/%FF"), Err(NameError::Encoding));
        assert_eq!(NamePath::from_names(["a", "b c"]).display("::"), "a::b c");
        assert_eq!(NamePath::from_names(["a", "b"]).container(), "a");
    }

    proptest! {
        #[test]
        fn what_is_printed_is_accepted_back(names in proptest::collection::vec(any::<String>(), 1..5)) {
            let path = NamePath::from_names(names.iter().map(String::as_str));
            prop_assert_eq!(NamePath::parse(path.as_str()), Ok(path.clone()));
            prop_assert_eq!(NamePath::from_names(path.names().collect::<Vec<_>>().iter().map(|n| n.as_ref())), path);
        }
    }
}
