//! Which files hold a word at all.

use rift_base::ProjectPath;
use tantivy::schema::IndexRecordOption;

use crate::error::IndexError;
use crate::letters::push_lowercase;
use crate::schema::TextField;
use crate::searcher::Searcher;
use crate::segment::live_docs;
use crate::tokenizer::{Splitter, TOKEN_MAX};

impl Searcher {
    /// The files whose text holds the words of `name`, in order: all files that can mention an identifier, and some that hold
    /// the same letters in other case. Every file for a name that is no word (an operator) or longer than words are kept.
    ///
    /// # Errors
    /// [`IndexError::Engine`] when the index cannot be read.
    pub fn files_with_word(&self, name: &str) -> Result<Vec<ProjectPath>, IndexError> {
        let Some(word) = longest_word(name) else { return Ok(self.paths().to_vec()) };
        let field = TextField::Content as usize;
        let mut ranks: Vec<u32> = Vec::new();
        for segment in &self.state.segments {
            let Some(term) = segment.term(field, &word)? else { continue };
            let mut rows = segment.postings(field, &term, IndexRecordOption::Basic)?;
            ranks.extend(live_docs(segment, &mut rows).map(|doc| segment.rank(doc)));
        }
        ranks.sort_unstable();
        ranks.dedup();
        Ok(ranks.into_iter().map(|rank| self.path(rank)).collect())
    }
}

/// The longest word of `name` as it is indexed; none when nothing of it is.
fn longest_word(name: &str) -> Option<String> {
    let mut splitter = Splitter::default();
    let (mut best, mut from) = (None::<(usize, usize)>, 0);
    while let Some((start, end)) = splitter.next(name, from) {
        if best.is_none_or(|(a, b)| end - start > b - a) {
            best = Some((start, end));
        }
        from = end;
    }
    let (start, end) = best?;
    let mut word = String::new();
    push_lowercase(&mut word, name.get(start..end)?);
    (end - start <= TOKEN_MAX).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_of_a_name() {
        assert_eq!(longest_word("getUser").as_deref(), Some("getuser"));
        assert_eq!(longest_word("__init__").as_deref(), Some("init"));
        assert_eq!(longest_word("#secret").as_deref(), Some("secret"));
        assert_eq!(longest_word("$el"), Some("el".to_owned()));
        assert_eq!(longest_word("operator=="), Some("operator".to_owned()));
        assert_eq!(longest_word("_"), None);
        assert_eq!(longest_word("=="), None);
        assert_eq!(longest_word(&"x".repeat(100)), None);
    }
}
