//! From what a language told to the facts that are kept: names become what lexical scope makes of them, and what others
//! see is parted from what the file uses.

use std::collections::HashMap;

use rift_base::ByteRange;

use super::binder::{Binder, Defined, Raw, RawName, RawTerm};
use super::facts::*;
use super::scopes::Found;

/// Most terms that one term is settled through (`a.b.c`, `a = b` where `b = c` …).
const CHAIN_MAX: usize = 512;

pub(super) fn settle(binder: Binder<'_>) -> BindingFacts {
    let surface = Settler::new(&binder).surface();
    let (uses, sites) = Settler::new(&binder).uses();
    BindingFacts { surface: surface.into(), uses: uses.into(), sites: sites.into() }
}

/// Builds one table of terms.
struct Settler<'b, 't> {
    binder: &'b Binder<'t>,
    out: Terms,
    names: HashMap<RawName, NameId>,
    known: HashMap<Term, TermId>,
    settled: HashMap<Raw, TermId>,
    /// Terms that are being settled: what comes back to one of them says nothing.
    open: Vec<Raw>,
}

impl<'b, 't> Settler<'b, 't> {
    fn new(binder: &'b Binder<'t>) -> Self {
        Self {
            binder,
            out: Terms::default(),
            names: HashMap::new(),
            known: HashMap::new(),
            settled: HashMap::new(),
            open: Vec::new(),
        }
    }

    fn surface(mut self) -> Surface {
        let binder = self.binder;
        let mut entries = Vec::with_capacity(binder.entries.len());
        for raw in &binder.entries {
            let (name, means) = (self.name(raw.name), self.term(raw.means));
            if *self.out.get(means) == Term::Unknown && PARAMETERS.contains(&self.out.name(name)) {
                continue;
            }
            entries.push(Entry { within: raw.within, name, means, starred: raw.starred });
        }
        let wildcards = binder
            .wildcards
            .iter()
            .map(|(within, of, exported)| Wildcard { within: *within, of: self.term(*of), exported: *exported })
            .collect();
        let mut decls: Vec<_> = binder.bases.keys().chain(binder.values.keys()).copied().collect();
        decls.sort_unstable();
        decls.dedup();
        let mut declared = Vec::with_capacity(decls.len());
        for decl in decls {
            let known = |terms: Option<&Vec<Raw>>, settler: &mut Self| -> Vec<TermId> {
                terms.into_iter().flatten().filter_map(|term| settler.known_term(*term)).collect()
            };
            let bases = known(binder.bases.get(&decl), &mut self);
            let values = known(binder.values.get(&decl), &mut self);
            let value = (!values.is_empty()).then(|| self.either(values));
            if value.is_some() || !bases.is_empty() {
                declared.push(DeclTerms { decl, bases, value });
            }
        }
        let mut extensions = Vec::with_capacity(binder.extensions.len());
        for raw in &binder.extensions {
            let Some(of) = self.known_term(raw.of) else { continue };
            let base = raw.base.and_then(|base| self.known_term(base));
            extensions.push(Extension { of, name: self.name(raw.name), member: raw.member, base });
        }
        let terms = self.out;
        entries.sort_by(|a, b| {
            let key = |e: &Entry| (e.within, terms.name(e.name).to_owned(), e.means);
            key(a).cmp(&key(b))
        });
        entries.dedup_by_key(|e| (e.within, e.name, e.means));
        Surface { terms, entries, wildcards, declared, extensions }
    }

    fn uses(mut self) -> (Uses, Vec<ByteRange>) {
        let binder = self.binder;
        let mut found = Vec::with_capacity(binder.references.len());
        for raw in &binder.references {
            if self.is_local(raw.term) {
                continue;
            }
            let term = self.term(raw.term);
            if *self.out.get(term) == Term::Unknown {
                continue;
            }
            let reference = Reference {
                term,
                role: raw.role,
                owner: raw.owner,
                arguments: raw.arguments,
                unproven: raw.unproven,
                not_field: raw.not_field,
            };
            found.push((raw.site, reference));
        }
        found.sort_by_key(|(site, reference)| (site.start, site.end, reference.term));
        found.dedup_by_key(|(site, reference)| (site.start, site.end, reference.term));
        let (sites, references) = found.into_iter().unzip();
        (Uses { terms: self.out, references, counts: binder.counts }, sites)
    }

    /// Whether `term` is a name that means a local variable: its value is known, but the name is no symbol.
    fn is_local(&self, term: Raw) -> bool {
        let Some(RawTerm::Name { name, scope, branch, at, space }) = self.binder.terms.get(term.0 as usize) else {
            return false;
        };
        match self.binder.look_up(*name, *scope, *branch, *at, *space) {
            Found::Free(_) => false,
            Found::Here(found) => found.iter().all(|what| !matches!(what, Defined::Decl(_) | Defined::Alias(_))),
        }
    }

    fn name(&mut self, raw: RawName) -> NameId {
        let binder = self.binder;
        let out = &mut self.out;
        *self.names.entry(raw).or_insert_with(|| {
            out.names.push(binder.spelled[raw.0 as usize].as_ref().into());
            NameId(out.names.len() as u32 - 1)
        })
    }

    fn put(&mut self, term: Term) -> TermId {
        if let Some(known) = self.known.get(&term) {
            return *known;
        }
        let id = TermId(self.out.terms.len() as u32);
        self.out.terms.push(term.clone());
        self.known.insert(term, id);
        id
    }

    fn either(&mut self, terms: Vec<TermId>) -> TermId {
        let mut flat = Vec::new();
        for term in terms {
            match self.out.get(term) {
                // One unknown meaning leaves the whole open, but what is known is still all that can be said.
                Term::Unknown => {}
                Term::Either(inner) => flat.extend(inner.iter().copied()),
                _ => flat.push(term),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        match flat.as_slice() {
            [] => self.put(Term::Unknown),
            [one] => *one,
            _ => self.put(Term::Either(flat)),
        }
    }

    fn term(&mut self, raw: Raw) -> TermId {
        if let Some(known) = self.settled.get(&raw) {
            return *known;
        }
        if self.open.contains(&raw) || self.open.len() >= CHAIN_MAX {
            return self.put(Term::Unknown);
        }
        self.open.push(raw);
        let settled = self.settle(raw);
        self.open.pop();
        // Kept also where a cycle cut it short: settling again for each way in would take exponential time.
        self.settled.insert(raw, settled);
        settled
    }

    fn settle(&mut self, raw: Raw) -> TermId {
        let binder = self.binder;
        let Some(term) = binder.terms.get(raw.0 as usize) else { return self.put(Term::Unknown) };
        let made = match term {
            RawTerm::Unknown => Term::Unknown,
            RawTerm::Module(name) => Term::Module(self.name(*name)),
            RawTerm::Free(name, within) => Term::Free { name: self.name(*name), within: *within },
            RawTerm::Decl(decl) => Term::Decl(*decl),
            RawTerm::This(decl) => Term::This(*decl),
            RawTerm::Super(decl) => Term::Super(*decl),
            RawTerm::Name { name, scope, branch, at, space } => {
                let found = binder.look_up(*name, *scope, *branch, *at, *space);
                return self.lexical(*name, found);
            }
            RawTerm::Member(of, name) => match self.known_term(*of) {
                Some(of) => Term::Member { of, name: self.name(*name) },
                None => Term::Unknown,
            },
            RawTerm::Call(of) => self.known_term(*of).map_or(Term::Unknown, Term::Call),
            RawTerm::Value(of) => self.known_term(*of).map_or(Term::Unknown, Term::Value),
            RawTerm::Inner(of, at) => self.known_term(*of).map_or(Term::Unknown, |of| Term::Inner { of, at: *at }),
            // What is made of others without a name of its own keeps them.
            RawTerm::Applied(of, arguments) if binder.is_unknown(*of) => {
                let of = self.put(Term::Unknown);
                Term::Applied { of, arguments: arguments.iter().map(|a| self.term(*a)).collect() }
            }
            RawTerm::Applied(of, arguments) => match self.known_term(*of) {
                Some(of) => Term::Applied { of, arguments: arguments.iter().map(|a| self.term(*a)).collect() },
                None => Term::Unknown,
            },
            RawTerm::First(terms) => {
                let mut terms: Vec<TermId> = terms.iter().filter_map(|term| self.known_term(*term)).collect();
                terms.dedup();
                match terms.as_slice() {
                    [] => Term::Unknown,
                    [one] => return *one,
                    _ => Term::First(terms),
                }
            }
            RawTerm::Either(terms) => {
                let terms = terms.iter().map(|term| self.term(*term)).collect();
                return self.either(terms);
            }
        };
        self.put(made)
    }

    fn known_term(&mut self, raw: Raw) -> Option<TermId> {
        let term = self.term(raw);
        (*self.out.get(term) != Term::Unknown).then_some(term)
    }

    fn lexical(&mut self, name: RawName, found: Found) -> TermId {
        match found {
            Found::Free(within) => {
                let name = self.name(name);
                self.put(Term::Free { name, within })
            }
            Found::Here(found) => {
                let terms = found
                    .into_iter()
                    .map(|what| match what {
                        Defined::Decl(decl) => self.put(Term::Decl(decl)),
                        Defined::Alias(term) | Defined::Value(term) | Defined::Parameter(term) => self.term(term),
                        Defined::Opaque | Defined::Enclosing | Defined::File => self.put(Term::Unknown),
                    })
                    .collect();
                self.either(terms)
            }
        }
    }
}
