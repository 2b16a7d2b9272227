//! The ranking of files: what all rows of a file say together.
//!
//! A file scores by its text as a whole (BM25), by its best declaration, by names that it declares and that the query
//! spells or whose words it has, and by its path. The sum is multiplied by what the path says about the file
//! ([`Place::factor`]). Each part is a share of the most that it can be, or that any file has, so that the weights say
//! what a whole part counts against the best text.

use rift_base::parallel::each;
use rift_base::{Facet, Facets, ProjectPath, RankingConfig};
use rustc_hash::FxHashMap;
use tantivy::DocId;

use crate::habits::Place;
use crate::identifier::{Spelling, Tiers};
use crate::letters::push_lowercase;
use crate::query::ParsedQuery;
use crate::schema::TextField;
use crate::searcher::{Reach, Searcher};
use crate::segment::Segment;
use crate::tokenizer::fold;

/// Files whose paths are looked at, and the most files that the ranking holds.
const FILES_MAX: usize = 400;

/// Paths that are looked at in one step.
const PATHS_AT_ONCE: usize = 32;

/// What parts count, against 1 for the best text. Found on the odd questions of a benchmark, with even steps around
/// each value making little difference (docs/performance.md).
const SYMBOL_WEIGHT: f32 = 0.2;
const NAME_WEIGHT: f32 = 0.75;
const SPELLED_WEIGHT: f32 = 1.2;
const JOINED_WEIGHT: f32 = 0.15;
const STEM_WEIGHT: f32 = 0.4;
const STEM_QUERY_WEIGHT: f32 = 0.3;
const DIRECTORY_WEIGHT: f32 = 1.2;
const STEM_SPELLED_WEIGHT: f32 = 0.3;
const STEM_JOINED_WEIGHT: f32 = 0.2;

/// What a definition counts by the query's spelling of its name, when other qualifiers were meant.
const ELSEWHERE_FACTOR: f32 = 0.5;

/// How well the declarations of a file fit the names and words of a query, each from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct NameEvidence {
    /// How much of a definition there is of a name that is spelled in the query.
    pub spelled: f32,
    /// The same for a run of words.
    pub joined: f32,
    /// How well the best name covers the query's words and is covered by them.
    pub words: f32,
}

impl NameEvidence {
    /// What the names count for their file.
    pub fn score(&self) -> f32 {
        SPELLED_WEIGHT * self.spelled + JOINED_WEIGHT * self.joined + NAME_WEIGHT * self.words
    }

    /// The better of both in each respect.
    pub fn union(self, other: Self) -> Self {
        Self {
            spelled: self.spelled.max(other.spelled),
            joined: self.joined.max(other.joined),
            words: self.words.max(other.words),
        }
    }
}

/// A file with what its rows and its path say.
#[derive(Debug, Clone, PartialEq)]
pub struct FileScore {
    /// The file.
    pub path: ProjectPath,
    /// What its declarations are named.
    pub names: NameEvidence,
    /// What else counts: its text and its path.
    rest: f32,
    /// What names count for, of what they and texts do by the configuration.
    name_share: f32,
    /// What the score is multiplied by, for what the file is.
    factor: f32,
    /// What is added for a definition of the name that is all of the query: as much as the best file without one has, so
    /// that it comes first wherever it stands.
    only_name: f32,
}

impl FileScore {
    /// The value that orders files.
    pub fn score(&self) -> f32 {
        (self.rest + self.name_share * self.names.score()) * self.factor
            + if self.names.spelled > 0.0 { self.only_name } else { 0.0 }
    }
}

/// What the rows of one file say.
#[derive(Debug, Clone, Copy, Default)]
struct OfFile {
    /// By which the file is known.
    rank: u32,
    /// BM25 of the text as a whole.
    content: f32,
    /// The best score of a declaration as full text.
    symbol: f32,
    names: NameEvidence,
    /// The units that stand in the path.
    path: u64,
    is_generated: bool,
}

/// What rows say about their files.
#[derive(Debug, Default)]
pub(crate) struct Evidence {
    /// The files of which rows say something.
    files: Vec<OfFile>,
    /// By rank of the path: one more than the file's place among them, 0 for the others.
    places: Vec<u32>,
    rarities: Vec<Option<f32>>,
    total: f32,
}

impl Evidence {
    /// Nothing yet about so many files; `rarities` say by unit how rare it is, when it tells what is asked for.
    pub(crate) fn new(files: usize, rarities: Vec<Option<f32>>) -> Self {
        let total = rarities.iter().flatten().sum();
        Self { files: Vec::new(), places: vec![0; files], rarities, total }
    }

    pub(crate) fn rarity(&self, unit: usize) -> f32 {
        self.rarities.get(unit).copied().flatten().unwrap_or(0.0)
    }

    pub(crate) fn rarities(&self) -> &[Option<f32>] {
        &self.rarities
    }

    fn file(&mut self, rank: u32) -> &mut OfFile {
        let place = &mut self.places[rank as usize];
        if *place == 0 {
            self.files.push(OfFile { rank, ..OfFile::default() });
            *place = self.files.len() as u32;
        }
        &mut self.files[*place as usize - 1]
    }

    /// Takes in what `other` says of the same files.
    pub(crate) fn extend(&mut self, other: Self) {
        for found in other.files {
            let file = self.file(found.rank);
            file.content = file.content.max(found.content);
            file.symbol = file.symbol.max(found.symbol);
            file.names = file.names.union(found.names);
            file.path |= found.path;
            file.is_generated |= found.is_generated;
        }
    }

    /// Takes in a row of a file's text; `path` are the units in the file's path.
    pub(crate) fn text(&mut self, segment: &Segment, doc: DocId, rank: u32, path: u64, content: f32) {
        let file = self.file(rank);
        file.is_generated |= segment.is_generated(doc);
        file.content = file.content.max(content);
        file.path |= path;
    }

    /// Takes in a declaration whose name has the units `named`.
    pub(crate) fn symbol(&mut self, segment: &Segment, doc: DocId, rank: u32, named: u64, score: f32) {
        let mut words = 0.0;
        if named != 0 {
            let length = segment.norms(TextField::Name as usize).map_or(1, |norms| norms.fieldnorm(doc)).max(1);
            let covered = (named.count_ones() as f32 / length as f32).min(1.0);
            words = definition(segment.facets(doc)) * covered * share(self.covered(named), self.total);
        }
        let file = self.file(rank);
        file.symbol = file.symbol.max(score);
        file.names.words = file.names.words.max(words);
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
                let found = match spelling {
                    Spelling::Meant => NameEvidence { spelled: definition, ..NameEvidence::default() },
                    Spelling::Elsewhere => {
                        NameEvidence { spelled: definition * ELSEWHERE_FACTOR, ..NameEvidence::default() }
                    }
                    Spelling::Joined => NameEvidence { joined: definition, ..NameEvidence::default() },
                };
                let file = self.file(rank);
                file.names = file.names.union(found);
            }
        }
    }

    /// How rare the units of a set are together.
    fn covered(&self, units: u64) -> f32 {
        let of = |(at, rarity): (usize, &Option<f32>)| rarity.filter(|_| units & (1 << at.min(63)) != 0);
        self.rarities.iter().enumerate().filter_map(of).sum()
    }

    /// The best files, best first; ties in the order of paths.
    pub(crate) fn rank(&self, searcher: &Searcher, query: &ParsedQuery, config: &RankingConfig) -> Vec<FileScore> {
        let most = |of: fn(&OfFile) -> f32| self.files.iter().map(of).fold(0.0, f32::max);
        let (content, symbol) = (most(|file| file.content), most(|file| file.symbol));
        let text = |file: &OfFile| share(file.content, content) + SYMBOL_WEIGHT * share(file.symbol, symbol);
        // The configuration weighs names against texts; each counts as it is when both are weighed alike.
        let weights = (config.identifier_weight + config.lexical_weight).max(f64::MIN_POSITIVE);
        let name_share = (2.0 * config.identifier_weight / weights) as f32;
        let text_share = (2.0 * config.lexical_weight / weights) as f32;

        let mut likely: Vec<(f32, &OfFile)> = Vec::with_capacity(self.files.len());
        for file in &self.files {
            let path = DIRECTORY_WEIGHT * share(self.covered(file.path), self.total);
            likely.push((text_share * text(file) + name_share * file.names.score() + path, file));
        }
        let best = |a: &(f32, &OfFile), b: &(f32, &OfFile)| b.0.total_cmp(&a.0).then_with(|| a.1.rank.cmp(&b.1.rank));
        if likely.len() > FILES_MAX {
            likely.select_nth_unstable_by(FILES_MAX - 1, best);
            likely.truncate(FILES_MAX);
        }
        likely.sort_unstable_by(best);
        likely.retain(|(_, file)| searcher.state.paths.path(file.rank).is_some());

        let paths = Paths::new(searcher, query, likely.iter().map(|(_, file)| file.rank));
        let ranked: Vec<(&OfFile, &(u32, Place<'_>))> =
            likely.iter().map(|(_, file)| *file).zip(&paths.places).collect();
        let parts: Vec<&[_]> = ranked.chunks(PATHS_AT_ONCE).collect();
        let scored = each(&parts, |part| {
            let score = |(file, (rank, place)): &(&OfFile, &(u32, Place<'_>))| {
                let rest = text_share * text(file) + paths.score(self, place);
                let factor = place.factor(searcher, *rank, file.is_generated, &paths.words);
                let path = searcher.path(*rank);
                (FileScore { path, names: file.names, rest, name_share, factor, only_name: 0.0 }, *rank)
            };
            part.iter().map(score).collect::<Vec<_>>()
        });
        let mut out: Vec<(FileScore, u32)> = scored.into_iter().flatten().collect();
        if query.is_one_name() && name_share > 0.0 {
            let others = out.iter().map(|(file, _)| file).filter(|file| file.names.spelled <= 0.0);
            let only_name = others.map(FileScore::score).fold(0.0, f32::max);
            out.iter_mut().for_each(|(file, _)| file.only_name = only_name);
        }
        out.sort_unstable_by(|(a, at), (b, bt)| b.score().total_cmp(&a.score()).then_with(|| at.cmp(bt)));
        out.into_iter().map(|(file, _)| file).collect()
    }
}

fn share(value: f32, most: f32) -> f32 {
    if most > 0.0 { value / most } else { 0.0 }
}

/// How much of a definition a declaration is: types, then callables, then what else has a name of its own, then
/// tests and modules, which are elsewhere or stand for what is in them.
fn definition(facets: u32) -> f32 {
    const ELSEWHERE: u32 = Facets::of(&[Facet::Test, Facet::Module]).bits();
    const TYPE: u32 = Facets::of(&[Facet::Type]).bits();
    const CALLABLE: u32 = Facets::of(&[Facet::Callable, Facet::Macro]).bits();
    const CONSTRUCTOR: u32 = Facets::of(&[Facet::Constructor]).bits();
    const NONE: u32 = Facets::of(&[Facet::Parameter, Facet::TypeParameter]).bits();
    match facets {
        f if f & NONE != 0 => 0.0,
        f if f & ELSEWHERE != 0 => 0.2,
        f if f & CONSTRUCTOR != 0 => 0.4,
        f if f & TYPE != 0 => 1.0,
        f if f & CALLABLE != 0 => 0.8,
        _ => 0.4,
    }
}

/// The paths of the likely files, against the words of the query.
struct Paths<'a> {
    places: Vec<(u32, Place<'a>)>,
    /// The query's words that may be hints, in all their forms, with their units.
    forms: FxHashMap<&'a str, usize>,
    /// Names without case and separators, and whether the query surely means them.
    names: FxHashMap<&'a str, bool>,
    /// All words of the query.
    words: Vec<&'a str>,
    /// How many of the likely files have a word in their stems.
    uses: FxHashMap<Box<str>, f32>,
    files: f32,
}

impl<'a> Paths<'a> {
    fn new(searcher: &'a Searcher, query: &'a ParsedQuery, ranks: impl Iterator<Item = u32>) -> Self {
        let mut places = Vec::new();
        let mut uses: FxHashMap<Box<str>, f32> = FxHashMap::default();
        for rank in ranks {
            let Some(path) = searcher.state.paths.path(rank) else { continue };
            let place = Place::of(path);
            each_word(place.stem, |word| match uses.get_mut(word) {
                Some(files) => *files += 1.0,
                None => {
                    uses.insert(word.into(), 1.0);
                }
            });
            places.push((rank, place));
        }
        let mut forms: FxHashMap<&str, usize> = FxHashMap::default();
        let hints = || query.units.iter().enumerate().filter(|(_, unit)| unit.names);
        for (at, unit) in hints() {
            forms.extend(unit.words.iter().map(|(_, word)| (word.as_str(), at)));
        }
        for (at, unit) in hints() {
            for form in &unit.inflections {
                forms.entry(form).or_insert(at);
            }
        }
        let mut names: FxHashMap<&str, bool> = FxHashMap::default();
        for identifier in &query.identifiers {
            *names.entry(&identifier.folded).or_default() |= identifier.is_sure();
        }
        let words = query.units.iter().flat_map(|unit| unit.words.iter().map(|(_, word)| word.as_str())).collect();
        let files = places.len() as f32;
        Self { places, forms, names, words, uses, files }
    }

    /// What a path scores: the share of its stem that the query has, the share of the query that its stem and its
    /// folders have, and a stem that is a name of the query.
    fn score(&self, evidence: &Evidence, place: &Place<'_>) -> f32 {
        let (mut all, mut known, mut in_stem, mut around) = (0.0, 0.0, 0u64, 0u64);
        each_word(place.stem, |word| {
            let weight = (1.0 + self.files / self.uses.get(word).copied().unwrap_or(1.0)).ln();
            all += weight;
            if let Some(unit) = self.forms.get(word) {
                known += weight;
                in_stem |= 1 << unit.min(&63);
            }
        });
        each_word(place.directories, |word| {
            around |= self.forms.get(word).map_or(0, |unit| 1 << unit.min(&63));
        });
        let covered = |units: u64| share(evidence.covered(units), evidence.total);
        let named = match self.names.get(fold(place.stem).as_str()) {
            Some(true) => STEM_SPELLED_WEIGHT,
            Some(false) => STEM_JOINED_WEIGHT,
            None => 0.0,
        };
        STEM_WEIGHT * share(known, all)
            + STEM_QUERY_WEIGHT * covered(in_stem)
            + DIRECTORY_WEIGHT * covered(around)
            + named
    }
}

/// Hands over the words of a part of a path, in lowercase.
fn each_word(text: &str, mut take: impl FnMut(&str)) {
    let mut word = String::new();
    for part in rift_base::split_identifier(text) {
        word.clear();
        push_lowercase(&mut word, part);
        take(&word);
    }
}
