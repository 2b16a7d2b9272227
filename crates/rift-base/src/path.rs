//! Project-relative paths.

use std::fmt;
use std::sync::Arc;

/// A path below the workspace root: UTF-8, `/` separated, without leading or trailing `/`, without
/// empty, `.` or `..` segments, backslashes or control characters, at most [`ProjectPath::MAX`] bytes.
/// The empty path is the root. Ordered by bytes.
///
/// Cloning shares the text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProjectPath(Arc<str>);

/// Why a text is not a [`ProjectPath`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathError {
    /// Longer than [`ProjectPath::MAX`] bytes.
    TooLong,
    /// Starts with `/` or a drive letter.
    Absolute,
    /// Holds a backslash.
    Backslash,
    /// Holds a control character.
    ControlCharacter,
    /// Holds an empty segment (`a//b`, a trailing `/`).
    EmptySegment,
    /// Holds `.` or `..` as a segment.
    DotSegment,
}

impl PathError {
    /// The violation's wire word.
    pub fn violation(self) -> &'static str {
        match self {
            PathError::TooLong => "too_long",
            PathError::Absolute => "absolute",
            PathError::Backslash => "backslash",
            PathError::ControlCharacter => "control_character",
            PathError::EmptySegment => "empty_segment",
            PathError::DotSegment => "dot_segment",
        }
    }
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.violation())
    }
}

impl std::error::Error for PathError {}

impl ProjectPath {
    /// The longest path in bytes.
    pub const MAX: usize = 4096;

    /// Checks and takes `text`.
    pub fn new(text: &str) -> Result<Self, PathError> {
        if text.len() > Self::MAX {
            return Err(PathError::TooLong);
        }
        if text.starts_with('/') {
            return Err(PathError::Absolute);
        }
        if text.contains('\\') {
            return Err(PathError::Backslash);
        }
        if text.chars().any(char::is_control) {
            return Err(PathError::ControlCharacter);
        }
        if !text.is_empty() {
            for segment in text.split('/') {
                match segment {
                    "" => return Err(PathError::EmptySegment),
                    "." | ".." => return Err(PathError::DotSegment),
                    _ => {}
                }
            }
        }
        Ok(Self(text.into()))
    }

    /// The workspace root.
    pub fn root() -> Self {
        Self("".into())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this is the workspace root.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The last segment; empty for the root.
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or("")
    }

    /// The file name without its last extension: `lib` of `src/lib.rs`, `.gitignore` of `.gitignore`.
    pub fn stem(&self) -> &str {
        let name = self.file_name();
        match name.rfind('.') {
            Some(dot) if dot > 0 => &name[..dot],
            _ => name,
        }
    }

    /// The last extension without its dot, absent for dot files and for names without one.
    pub fn extension(&self) -> Option<&str> {
        let name = self.file_name();
        match name.rfind('.') {
            Some(dot) if dot > 0 && dot + 1 < name.len() => Some(&name[dot + 1..]),
            _ => None,
        }
    }

    /// The containing directory; absent for the root.
    pub fn parent(&self) -> Option<ProjectPath> {
        if self.is_root() {
            return None;
        }
        Some(match self.0.rfind('/') {
            Some(slash) => ProjectPath(self.0[..slash].into()),
            None => ProjectPath::root(),
        })
    }

    /// This path with one more segment. The segment is checked like any path.
    pub fn join(&self, segment: &str) -> Result<ProjectPath, PathError> {
        if self.is_root() { Self::new(segment) } else { Self::new(&format!("{}/{segment}", self.0)) }
    }

    /// The segments, none for the root.
    pub fn segments(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.0.split('/').filter(|s| !s.is_empty())
    }

    /// The part of this path below `directory`, when it lies there.
    pub fn strip_prefix(&self, directory: &ProjectPath) -> Option<&str> {
        if directory.is_root() {
            return Some(&self.0);
        }
        let rest = self.0.strip_prefix(&*directory.0)?;
        if rest.is_empty() { Some("") } else { rest.strip_prefix('/') }
    }
}

impl fmt::Display for ProjectPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for ProjectPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "/{}", self.0)
    }
}

impl AsRef<str> for ProjectPath {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_by_rule() {
        for (text, error) in [
            ("/a", PathError::Absolute),
            ("a//b", PathError::EmptySegment),
            ("a/", PathError::EmptySegment),
            ("a/../b", PathError::DotSegment),
            ("./a", PathError::DotSegment),
            ("a\\b", PathError::Backslash),
            ("a\nb", PathError::ControlCharacter),
        ] {
            assert_eq!(ProjectPath::new(text), Err(error), "{text:?}");
        }
        assert_eq!(ProjectPath::new(&"x".repeat(4097)), Err(PathError::TooLong));
    }

    #[test]
    fn parts() {
        let path = ProjectPath::new("src/a b/é%.test.rs").expect("valid");
        assert_eq!((path.file_name(), path.stem(), path.extension()), ("é%.test.rs", "é%.test", Some("rs")));
        assert_eq!(path.parent().expect("has one").as_str(), "src/a b");
        assert_eq!(path.strip_prefix(&ProjectPath::new("src").expect("valid")), Some("a b/é%.test.rs"));
        assert_eq!(path.strip_prefix(&ProjectPath::new("sr").expect("valid")), None);
        assert_eq!(ProjectPath::new(".gitignore").expect("valid").extension(), None);
        assert_eq!(ProjectPath::root().parent(), None);
    }
}
