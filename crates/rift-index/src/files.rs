//! The ranking of files: what all rows of a file say together.

use rift_base::{Facet, Facets};
use rustc_hash::FxHashMap;
use tantivy::DocId;

use crate::identifier::{Spelling, Tiers};
use crate::knobs::knob;
use crate::paths::{Place, place_of};
use crate::query::{ParsedQuery, Strength};
use crate::schema::TextField;
use crate::searcher::{Reach, Searcher};
use crate::segment::Segment;
use crate::tokenizer::{fold, lowercase};

/// Files whose paths are looked at.
const CANDIDATES_MAX: usize = 400;
/// The most files that the ranking holds.
pub(crate) const FILES_MAX: usize = 200;

/// What the rows of one file say.
#[derive(Debug, Clone, Copy, Default)]
struct OfFile {
    /// BM25 of the file as a whole.
    content: f32,
    /// The best score of a declaration as full text.
    symbol: f32,
    /// How well the best name covers the query and is covered by it, 0 to 1.
    name: f32,
    /// How much of a definition there is of a name that the query spells, 0 to 1.
    spelled: f32,
    joined: f32,
    /// The units that stand in the path.
    path: u64,
    touched: bool,
}

/// What rows say about their files.
#[derive(Debug, Default)]
pub(crate) struct Evidence {
    files: Vec<OfFile>,
    touched: Vec<u32>,
    /// By unit: how rare it is; none for words that are no hint.
    rarities: Vec<Option<f32>>,
    total: f32,
}

/// A file with its score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RankedFile {
    pub(crate) rank: u32,
    pub(crate) score: f32,
}

impl Evidence {
    pub(crate) fn new(files: usize, rarities: Vec<Option<f32>>) -> Self {
        let total = rarities.iter().flatten().sum();
        Self { files: vec![OfFile::default(); files], touched: Vec::new(), rarities, total }
    }

    pub(crate) fn rarity(&self, unit: usize) -> f32 {
        self.rarities.get(unit).copied().flatten().unwrap_or(0.0)
    }

    fn file(&mut self, rank: u32) -> &mut OfFile {
        let file = &mut self.files[rank as usize];
        if !file.touched {
            file.touched = true;
            self.touched.push(rank);
        }
        file
    }

    /// Takes in a row of a file's text.
    pub(crate) fn text(&mut self, rank: u32, path: u64, content: f32) {
        let file = self.file(rank);
        file.content = file.content.max(content);
        file.path |= path;
    }

    /// Takes in a declaration whose name has the units `named`.
    pub(crate) fn symbol(&mut self, segment: &Segment, doc: DocId, rank: u32, named: u64, score: f32) {
        let definition = definition(segment.facets(doc));
        let name = if named == 0 || definition == 0.0 {
            0.0
        } else {
            let words = segment.norms(TextField::Name as usize).map_or(1, |norms| norms.fieldnorm(doc)).max(1);
            let covers = self.covered(named) / self.total.max(f32::MIN_POSITIVE);
            definition * covers * (named.count_ones() as f32 / words as f32).min(1.0)
        };
        let file = self.file(rank);
        file.symbol = file.symbol.max(score);
        file.name = file.name.max(name);
    }

    /// Takes in the declarations whose names the query spells.
    pub(crate) fn note_names(&mut self, searcher: &Searcher, reach: &Reach<'_>, tiers: &[Tiers]) {
        for (segment, tiers) in searcher.state.segments.iter().zip(tiers) {
            for (doc, spelling) in tiers.spelled() {
                let rank = segment.rank(doc);
                if !reach.has_path(rank) {
                    continue;
                }
                let definition = definition(segment.facets(doc));
                let file = self.file(rank);
                match spelling {
                    Spelling::Meant => file.spelled = file.spelled.max(definition),
                    Spelling::Elsewhere => file.spelled = file.spelled.max(definition * 0.5),
                    Spelling::Joined => file.joined = file.joined.max(definition),
                }
            }
        }
    }

    /// How rare the units of a set are together.
    fn covered(&self, units: u64) -> f32 {
        let of = |(at, rarity): (usize, &Option<f32>)| rarity.filter(|_| units & (1 << at.min(63)) != 0);
        self.rarities.iter().enumerate().filter_map(of).sum()
    }

    /// The best files, best first; ties in the order of paths.
    pub(crate) fn rank(&self, searcher: &Searcher, query: &ParsedQuery) -> Vec<RankedFile> {
        let most = |of: fn(&OfFile) -> f32| self.touched.iter().map(|rank| of(&self.files[*rank as usize])).fold(0.0, f32::max);
        let (content_max, symbol_max) = (most(|f| f.content), most(|f| f.symbol));
        let share = |value: f32, most: f32| if most > 0.0 { value / most } else { 0.0 };
        let k = Knobs::get();
        let own = |file: &OfFile| {
            share(file.content, content_max) + k.symbol * share(file.symbol, symbol_max) + k.name * file.name
                + k.spelled * file.spelled + k.joined * file.joined
        };
        let mut out: Vec<RankedFile> = self.touched.iter().map(|&rank| {
            let file = &self.files[rank as usize];
            let path = share(self.covered(file.path), self.total);
            RankedFile { rank, score: own(file) + (k.stem + k.stem_query).max(k.directory) * path }
        }).collect();
        best_of(&mut out, CANDIDATES_MAX);
        let words = Words::new(query);
        for file in &mut out {
            let Some(path) = searcher.state.paths.path(file.rank) else { continue };
            let place = place_of(path);
            let stem: Vec<String> = rift_base::split_identifier(place.stem).map(lowercase).collect();
            let units = words.units(stem.iter().map(String::as_str));
            let known = stem.iter().filter(|word| words.has(word)).count();
            let folded = fold(place.stem);
            let directories: Vec<String> = rift_base::split_identifier(place.directories).map(lowercase).collect();
            let around = words.units(directories.iter().map(String::as_str));
            let mut score = own(&self.files[file.rank as usize]);
            score += k.stem * known as f32 / stem.len().max(1) as f32;
            score += k.stem_query * share(self.covered(units), self.total);
            score += k.directory * share(self.covered(around), self.total);
            score += match words.names.get(folded.as_str()) {
                Some(true) => k.stem_spelled,
                Some(false) => k.stem_joined,
                None => 0.0,
            };
            file.score = score * prior(searcher, path, file.rank, &place, &words, &k);
        }
        best_of(&mut out, FILES_MAX);
        out
    }
}

fn best_of(files: &mut Vec<RankedFile>, limit: usize) {
    let order = |a: &RankedFile, b: &RankedFile| b.score.total_cmp(&a.score).then_with(|| a.rank.cmp(&b.rank));
    files.sort_unstable_by(order);
    files.truncate(limit);
}

struct Knobs {
    symbol: f32, name: f32, spelled: f32, joined: f32, stem: f32, stem_query: f32, directory: f32, stem_spelled: f32, stem_joined: f32,
    test: f32, low: f32, data: f32, old: f32, generated: f32,
}

impl Knobs {
    fn get() -> Self {
        Self {
            symbol: knob("symbol", 0.2), name: knob("name", 0.5), spelled: knob("spelled", 1.2), joined: knob("joined", 0.3),
            stem: knob("stem", 0.4), stem_query: knob("stem_query", 0.2), directory: knob("directory", 0.6),
            stem_spelled: knob("stem_spelled", 0.3), stem_joined: knob("stem_joined", 0.2),
            test: knob("test", 0.3), low: knob("low", 0.5), data: knob("data", 0.4), old: knob("old", 0.5), generated: knob("generated", 0.5),
        }
    }
}

/// How much of a definition a declaration is: types, then callables, then what else has a name of its own.
fn definition(facets: u32) -> f32 {
    const TYPE: u32 = Facets::of(&[Facet::Type]).bits();
    const CALLABLE: u32 = Facets::of(&[Facet::Callable, Facet::Macro]).bits();
    const CONSTRUCTOR: u32 = Facets::of(&[Facet::Constructor]).bits();
    const NONE: u32 = Facets::of(&[Facet::Parameter, Facet::TypeParameter]).bits();
    match facets {
        f if f & NONE != 0 => 0.0,
        f if f & CONSTRUCTOR != 0 => 0.4,
        f if f & TYPE != 0 => 1.0,
        f if f & CALLABLE != 0 => 0.8,
        _ => 0.4,
    }
}

/// The words of a query, by their forms.
struct Words<'q> {
    forms: FxHashMap<&'q str, usize>,
    /// Names without case and separators; whether they are spelled as one word.
    names: FxHashMap<&'q str, bool>,
    all: Vec<&'q str>,
}

impl<'q> Words<'q> {
    fn new(query: &'q ParsedQuery) -> Self {
        let mut forms: FxHashMap<&str, usize> = FxHashMap::default();
        for (at, unit) in query.units.iter().enumerate().filter(|(_, unit)| unit.names) {
            for (_, word) in &unit.words {
                forms.insert(word, at);
            }
        }
        for (at, unit) in query.units.iter().enumerate().filter(|(_, unit)| unit.names) {
            for form in &unit.inflections {
                forms.entry(form).or_insert(at);
            }
        }
        let mut names: FxHashMap<&str, bool> = FxHashMap::default();
        for identifier in &query.identifiers {
            let sure = identifier.strength == Strength::Sure;
            *names.entry(&identifier.folded).or_default() |= sure;
        }
        let all = query.units.iter().flat_map(|unit| unit.words.iter().map(|(_, word)| word.as_str())).collect();
        Self { forms, names, all }
    }

    fn has(&self, word: &str) -> bool {
        self.forms.contains_key(word)
    }

    fn units<'w>(&self, words: impl Iterator<Item = &'w str>) -> u64 {
        words.filter_map(|word| self.forms.get(word)).fold(0, |units, at| units | 1 << (*at).min(63))
    }

    fn asks_for(&self, words: &[&str]) -> bool {
        self.all.iter().any(|word| words.contains(word))
    }
}

fn prior(searcher: &Searcher, path: &rift_base::ProjectPath, rank: u32, place: &Place<'_>, words: &Words<'_>, k: &Knobs) -> f32 {
    let mut factor = 1.0;
    if searcher.is_test(rank) && !words.asks_for(&["test", "tests", "testing", "tested", "spec", "specs"]) {
        factor *= k.test;
    }
    if searcher.is_output(rank) {
        factor *= k.generated;
    }
    if place.is_example() && !words.asks_for(&["example", "examples", "sample", "samples", "demo", "bench", "benchmark", "benchmarks"]) {
        factor *= k.low;
    }
    if place.is_data(path) && !words.asks_for(&["readme", "changelog", "documentation", "docs", "license"]) {
        factor *= k.data;
    }
    if (place.is_old() || is_superseded(searcher, path, words)) && !words.asks_for(&["legacy", "compat", "deprecated", "compatibility"]) {
        factor *= k.old;
    }
    factor
}

/// Whether the path goes through a folder for a version, beside which there is one for a later version or the file itself.
fn is_superseded(searcher: &Searcher, path: &rift_base::ProjectPath, words: &Words<'_>) -> bool {
    let text = path.as_str();
    let mut at = 0;
    for segment in path.segments() {
        let end = at + segment.len();
        let version = segment.strip_prefix('v').and_then(|number| number.parse::<u32>().ok()).filter(|_| segment.len() <= 4);
        if let Some(version) = version.filter(|_| end < text.len() && !words.has(segment)) {
            let before = &text[..at];
            let has = |prefix: &str| searcher.has_path_below(prefix);
            if (1..=3).any(|more| has(&format!("{before}v{}/", version + more))) {
                return true;
            }
            let without = format!("{before}{}", &text[end + 1..]);
            if rift_base::ProjectPath::new(&without).is_ok_and(|path| searcher.state.paths.rank(&path).is_some()) {
                return true;
            }
        }
        at = end + 1;
    }
    false
}
