//! What methods of the standard library yield, by their names: options, results, iterators, collections and locks hold
//! values of their type arguments. Nothing here applies to a receiver without type arguments, so that a project's own
//! `take` is never taken for the library's, nor the other way round.

use super::Rust;
use crate::binding::{Raw, Walker as _};

/// What a method yields, seen from the type arguments of its receiver.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Yields {
    /// The receiver itself, or a pointer to it.
    Same,
    /// What the first argument holds.
    First,
    /// An option, result or iterator of the first argument.
    OfFirst,
    /// An option or iterator of the last: an element.
    OfLast,
    /// An option or iterator of the second: a value of a map.
    OfSecond,
    /// An option of a value of a map, or of an element.
    Found,
    /// An option of a value of a map, or an element itself.
    Removed,
    /// What the second argument, an error, holds.
    Second,
    /// An iterator of pairs of a number and an element.
    Numbered,
    /// An iterator of pairs of elements, of the receiver and of the argument.
    Zipped,
    /// What its closure yields, wrapped.
    OfClosure,
    /// What its closure yields.
    Closure,
    /// An iterator of what is in what its closure yields.
    OfInsideClosure,
    /// An option of the receiver.
    OfSame,
}

/// A method that only the standard library has under such a name: the project's are not looked for.
pub(super) struct Standard {
    pub(super) yields: Yields,
    pub(super) certain: bool,
}

/// What the library's method `name` yields.
pub(super) fn method(name: &str) -> Option<Standard> {
    let (yields, certain) = match name {
        "clone" | "cloned" | "copied" | "as_ref" | "as_mut" | "as_deref" | "as_deref_mut" | "to_owned" | "by_ref" => {
            (Yields::Same, true)
        }
        "borrow" | "borrow_mut" => (Yields::Same, false),
        "unwrap" | "expect" | "unwrap_or" | "unwrap_or_else" | "unwrap_or_default" | "or_insert" | "or_insert_with"
        | "or_default" => (Yields::First, true),
        "get_or_insert" | "get_or_insert_with" | "get_or_init" | "get_or_try_init" => (Yields::First, false),
        "lock" | "read" | "write" | "lock_owned" | "blocking_lock" => (Yields::First, false),
        "map_err" | "ok_or" | "ok_or_else" => (Yields::OfFirst, true),
        "context" | "with_context" | "ok" | "or_else" | "inspect_err" | "recv" | "try_recv" | "join" | "try_lock"
        | "try_read" | "try_write" | "keys" | "into_keys" => (Yields::OfFirst, false),
        "expect_err" | "unwrap_err" => (Yields::Second, true),
        "err" | "values" | "values_mut" | "into_values" | "entry" => (Yields::OfSecond, false),
        "get" | "get_mut" => (Yields::Found, false),
        "remove" | "swap_remove" | "shift_remove" => (Yields::Removed, false),
        "iter" | "iter_mut" | "into_iter" | "drain" | "rev" | "filter" | "skip" | "take" | "step_by" | "peekable"
        | "fuse" | "chain" | "skip_while" | "take_while" | "cycle" | "collect" | "inspect" | "or" | "replace"
        | "next" | "next_back" | "last" | "first" | "first_mut" | "last_mut" | "pop" | "pop_front" | "pop_back"
        | "front" | "back" | "front_mut" | "back_mut" | "peek" | "peek_mut" | "nth" | "find" | "min_by_key"
        | "max_by_key" | "min_by" | "max_by" | "reduce" | "to_vec" | "into_vec" | "as_slice" | "as_mut_slice"
        | "split_off" => {
            (Yields::OfLast, matches!(name, "peekable" | "skip_while" | "take_while" | "min_by_key" | "max_by_key"))
        }
        "enumerate" => (Yields::Numbered, true),
        "zip" => (Yields::Zipped, true),
        "map" | "map_while" | "then" => (Yields::OfClosure, false),
        "and_then" | "map_or" | "map_or_else" | "find_map" => (Yields::Closure, false),
        "filter_map" | "flat_map" => (Yields::OfInsideClosure, true),
        "upgrade" => (Yields::OfSame, false),
        _ => return None,
    };
    Some(Standard { yields, certain })
}

/// Whether a lock's method gives a guard, which `unwrap` of the poisoning result then gives as well.
pub(super) fn locks(name: &str) -> bool {
    matches!(name, "lock" | "read" | "write")
}

/// Whether the closures given to `name` take what the receiver's first type argument holds: as their last parameter, or
/// as all of them.
pub(super) fn takes_elements(name: &str) -> Option<Elements> {
    Some(match name {
        "map" | "and_then" | "for_each" | "filter" | "filter_map" | "flat_map" | "any" | "all" | "find"
        | "find_map" | "position" | "map_or" | "map_or_else" | "is_some_and" | "is_ok_and" | "is_none_or"
        | "inspect" | "take_while" | "skip_while" | "map_while" | "retain" | "sort_by_key" | "max_by_key"
        | "min_by_key" | "partition" | "fold" | "try_for_each" | "and_modify" => Elements::Last,
        "sort_by" | "sort_unstable_by" | "min_by" | "max_by" | "reduce" | "dedup_by" => Elements::All,
        _ => return None,
    })
}

/// Which parameters of a closure are elements.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Elements {
    Last,
    All,
}

impl<'t> Rust<'_, 't> {
    /// What a method yields on `receiver`, given what its last argument yields.
    pub(super) fn yielded(&mut self, yields: Yields, receiver: Raw, argument: Raw) -> Raw {
        let inside = match yields {
            Yields::Same => return receiver,
            Yields::First => return self.binder.inner(receiver, 0),
            Yields::Second => return self.binder.inner(receiver, 1),
            Yields::Closure => return argument,
            Yields::OfSame => receiver,
            Yields::OfFirst => self.binder.inner(receiver, 0),
            Yields::OfLast => self.binder.inner(receiver, -1),
            Yields::OfSecond => self.binder.inner(receiver, 1),
            Yields::OfClosure => argument,
            Yields::OfInsideClosure => self.binder.inner(argument, -1),
            Yields::Found => {
                let parts = vec![self.binder.inner(receiver, 1), self.binder.inner(receiver, -1)];
                self.known(parts)
            }
            Yields::Removed => {
                let value = self.binder.inner(receiver, 1);
                let parts = vec![self.wrapped(value), self.binder.inner(receiver, -1)];
                return self.known(parts);
            }
            Yields::Numbered => {
                let parts = vec![self.unknown(), self.binder.inner(receiver, -1)];
                self.tuple(parts)
            }
            Yields::Zipped => {
                let parts = vec![self.binder.inner(receiver, -1), self.binder.inner(argument, -1)];
                self.tuple(parts)
            }
        };
        self.wrapped(inside)
    }
}
