//! Which files are documentation, by their paths.

use crate::ProjectPath;

/// How a documentation source is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DocumentFormat {
    /// Markdown.
    Markdown,
    /// Markdown with JSX and imports.
    Mdx,
    /// reStructuredText.
    RestructuredText,
    /// Plain text, whose underlined headings and indented code are read as reStructuredText's.
    Text,
    /// A Jupyter notebook.
    Notebook,
}

/// Folders whose text files are documentation.
const FOLDERS: &[&str] = &["doc", "docs", "documentation", "manual", "guide", "guides"];
/// Names, without extension and case, of text files that are documentation wherever they stand.
const NAMES: &[&str] =
    &["readme", "changelog", "changes", "history", "news", "contributing", "install", "upgrading", "architecture"];

impl DocumentFormat {
    /// The format of the file at `path`; absent when it is no documentation. Text files are documentation in folders of
    /// documentation and under names such as `README` and `CHANGELOG`.
    pub fn of(path: &ProjectPath) -> Option<Self> {
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        match extension.as_str() {
            "md" | "markdown" | "mdown" | "mkd" => Some(Self::Markdown),
            "mdx" => Some(Self::Mdx),
            "rst" | "rest" => Some(Self::RestructuredText),
            "ipynb" => Some(Self::Notebook),
            "txt" | "text" | "" => {
                let name = path.file_name();
                let stem = name.split_once('.').map_or(name, |(stem, _)| stem).to_ascii_lowercase();
                let folder = path.parent().is_some_and(|parent| {
                    parent.segments().any(|segment| FOLDERS.iter().any(|folder| segment.eq_ignore_ascii_case(folder)))
                });
                let is_text = folder && !extension.is_empty() || NAMES.contains(&stem.as_str());
                is_text.then_some(Self::Text)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_by_path() {
        use DocumentFormat::*;
        for (path, format) in [
            ("README.md", Some(Markdown)),
            ("a/b.MDX", Some(Mdx)),
            ("docs/index.rst", Some(RestructuredText)),
            ("n.ipynb", Some(Notebook)),
            ("docs/ref/models.txt", Some(Text)),
            ("README", Some(Text)),
            ("pkg/CHANGELOG.txt", Some(Text)),
            ("requirements.txt", None),
            ("docs/Makefile", None),
            ("docs/conf.py", None),
            ("docs.txt", None),
        ] {
            assert_eq!(DocumentFormat::of(&ProjectPath::new(path).expect("valid")), format, "{path}");
        }
    }
}
