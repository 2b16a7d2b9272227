//! Other forms of English words: what a question says in one form, code and its documentation say in another.
//!
//! A word is stripped of the endings of inflection and of agents and given all of them again (the endings and the
//! condition that a stem has a vowel are those of Porter, "An algorithm for suffix stripping", Program 14, 1980). The
//! forms are looked up beside the word, so the index holds words as they are spelled and costs nothing for it. Some
//! forms are no words; no text holds those.

/// The shortest word in bytes whose other forms are looked for.
const WORD_BYTES_MIN: usize = 4;
/// The shortest stem in bytes.
const STEM_BYTES_MIN: usize = 3;

/// Endings that are taken off, the longest first.
const ENDINGS: &[&str] = &["ings", "ing", "ers", "ors", "ed", "er", "or", "es", "s"];
/// Endings that a stem is given.
const GIVEN: &[&str] = &["", "e", "s", "es", "ed", "ing", "er", "ers"];
/// Endings that a doubled last consonant is given.
const GIVEN_DOUBLED: &[&str] = &["ed", "ing", "er"];

/// The other forms of a lowercase word, without repetition.
pub(crate) fn forms(word: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    if word.len() < WORD_BYTES_MIN || !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return out;
    }
    for stem in stems(word) {
        give(&stem, &mut out);
    }
    let mut seen: Vec<String> = Vec::with_capacity(out.len());
    for form in out {
        if form != word && form.len() >= STEM_BYTES_MIN && !seen.contains(&form) {
            seen.push(form);
        }
    }
    seen
}

/// What is left of `word` without its ending; a last `e` goes too, for it does not stand before other endings.
fn stems(word: &str) -> Vec<String> {
    let strip = |ending: &str| word.strip_suffix(ending).filter(|stem| is_stem(stem));
    if let Some(stem) = strip("ies").or_else(|| strip("ied")) {
        return vec![format!("{stem}y")];
    }
    if let Some(stem) = strip("ation").or_else(|| strip("ations")) {
        // `serialization` of `serialize`, `validation` of `validate`.
        return vec![stem.to_owned(), format!("{stem}at")];
    }
    let ending = ENDINGS.iter().find_map(|ending| {
        let stem = strip(ending)?;
        // `status`, `class` and `basis` are no plurals.
        (*ending != "s" || !stem.ends_with(['s', 'u', 'i'])).then_some(stem)
    });
    let stem = ending.unwrap_or(word);
    let mut out = vec![stem.strip_suffix('e').filter(|stem| is_stem(stem)).unwrap_or(stem).to_owned()];
    if ending.is_some() && is_doubled(stem) {
        out.push(stem[..stem.len() - 1].to_owned());
    }
    out
}

fn give(stem: &str, out: &mut Vec<String>) {
    out.extend(GIVEN.iter().map(|ending| format!("{stem}{ending}")));
    if let Some(base) = stem.strip_suffix('y').filter(|base| !base.ends_with(['a', 'e', 'o', 'u'])) {
        out.extend(["ies", "ied"].map(|ending| format!("{base}{ending}")));
    }
    if stem.ends_with("at") || stem.ends_with("iz") {
        out.push(format!("{stem}or"));
        out.push(format!("{stem}{}", if stem.ends_with("at") { "ion" } else { "ation" }));
    }
    if doubles(stem) {
        let last = &stem[stem.len() - 1..];
        out.extend(GIVEN_DOUBLED.iter().map(|ending| format!("{stem}{last}{ending}")));
    }
}

fn is_vowel(byte: u8) -> bool {
    matches!(byte, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

fn is_stem(text: &str) -> bool {
    text.len() >= STEM_BYTES_MIN && text.bytes().any(is_vowel)
}

fn is_doubled(stem: &str) -> bool {
    matches!(stem.as_bytes(), [.., a, b] if a == b && !is_vowel(*b) && !matches!(b, b'l' | b's' | b'z'))
}

/// Whether the last consonant is doubled before an ending: it follows one vowel behind a consonant.
fn doubles(stem: &str) -> bool {
    matches!(stem.as_bytes(), [.., a, b, c]
        if !is_vowel(*a) && is_vowel(*b) && !is_vowel(*c) && !matches!(c, b'w' | b'x'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_words() {
        for (word, expected) in [
            ("parsed", &["parse", "parses", "parser", "parsing"][..]),
            ("evicted", &["evict", "evicts", "evicting"]),
            ("dropped", &["drop", "drops", "dropping"]),
            ("drop", &["dropped", "dropping"]),
            ("entries", &["entry"]),
            ("entry", &["entries"]),
            ("matching", &["match", "matches", "matcher"]),
            ("caches", &["cache", "caching", "cached"]),
            ("names", &["name", "naming"]),
            ("routing", &["route", "router", "routes"]),
            ("retry", &["retries", "retried"]),
            ("status", &["statuses"]),
            ("validation", &["validate", "validator", "validates"]),
            ("validate", &["validation", "validator"]),
            ("serialization", &["serialize", "serializer"]),
            ("serializer", &["serialize", "serialization"]),
        ] {
            let found = forms(word);
            for form in expected {
                assert!(found.iter().any(|f| f == form), "{word}: {form} is not in {found:?}");
            }
            assert!(!found.iter().any(|form| form == word), "{word}: {found:?}");
            let mut unique = found.clone();
            unique.sort();
            unique.dedup();
            assert_eq!(unique.len(), found.len(), "{word}: {found:?}");
        }
    }

    #[test]
    fn what_has_no_other_forms() {
        for word in ["bus", "utf8", "größe", "x"] {
            assert_eq!(forms(word), Vec::<String>::new(), "{word}");
        }
        // Endings are not taken where no stem is left.
        assert!(!forms("string").iter().any(|form| form == "str"));
        assert!(!forms("class").iter().any(|form| form == "clas"));
    }
}
