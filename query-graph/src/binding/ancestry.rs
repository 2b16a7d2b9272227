//! Ancestry: the types that a type extends or implements, in the order in which members are looked for.

use std::sync::Arc;

use super::evaluate::{Denoted, Evaluator};
use super::names::{DeclKey, declared};

impl Evaluator<'_> {
    /// The types that `of` extends or implements, as far as they are declared here.
    pub(super) fn bases(&mut self, of: DeclKey) -> Vec<DeclKey> {
        let Some(what) = declared(self.db, of) else { return Vec::new() };
        let file = of.file(self.db);
        let mut out = Vec::new();
        for base in &what.bases {
            for denoted in self.with(None, |this| this.evaluate(file, base)) {
                out.extend(self.type_of(denoted));
            }
        }
        out
    }

    /// The type that `denoted` is, through aliases.
    pub(super) fn type_of(&mut self, denoted: Denoted) -> Vec<DeclKey> {
        self.value_of(denoted)
            .into_iter()
            .filter_map(|value| match value {
                Denoted::Instance(decl, _) => Some(decl),
                _ => None,
            })
            .collect()
    }

    /// `of` and all types that it inherits from, in the order in which a member is looked for: depth first, and a type that
    /// several lead to after all of them, as the C3 linearization has it where it exists.
    pub(super) fn ancestors(&mut self, of: DeclKey) -> Arc<[DeclKey]> {
        if let Some(known) = self.ancestors.get(&of) {
            return known.clone();
        }
        let asked = of;
        let of = self.complete(of);
        let mut order: Vec<DeclKey> = Vec::new();
        let mut stack = vec![(of, 0usize)];
        while let Some((here, depth)) = stack.pop() {
            if depth > self.limits.depth || order.len() > self.limits.work as usize {
                continue;
            }
            let repeated = order.iter().filter(|other| **other == here).count();
            if repeated > 1 {
                continue;
            }
            order.push(here);
            let bases: Vec<DeclKey> = self.bases(here).into_iter().map(|base| self.complete(base)).collect();
            stack.extend(bases.into_iter().rev().filter(|base| *base != of).map(|base| (base, depth + 1)));
        }
        // The last place of a type counts.
        let mut seen = Vec::new();
        order.reverse();
        order.retain(|here| {
            let new = !seen.contains(here);
            if new {
                seen.push(*here);
            }
            new
        });
        order.reverse();
        let order: Arc<[DeclKey]> = order.into();
        if self.open.len() <= 1 {
            self.ancestors.insert(asked, order.clone());
        }
        order
    }
}
