//! How the values of this crate travel: each as the one string that its constructor takes back. A refused
//! text is reported as `violation <word>`, so that a border can name the word.

use std::fmt;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Facet, Language, ProjectPath};

struct Parsed<T>(&'static str, fn(&str) -> Result<T, &'static str>);

impl<T> Visitor<'_> for Parsed<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        (self.1)(text).map_err(|word| E::custom(format_args!("violation {word}")))
    }
}

macro_rules! string_form {
    ($name:ident, $expecting:literal, $print:expr, $parse:expr) => {
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let print: fn(&$name) -> &str = $print;
                serializer.serialize_str(print(self))
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(Parsed($expecting, $parse))
            }
        }
    };
}

string_form!(Language, "a language identity", Language::as_str, |text| Language::new(text).ok_or("language"));
string_form!(ProjectPath, "a project path", ProjectPath::as_str, |text| {
    ProjectPath::new(text).map_err(|e| e.violation())
});
string_form!(Facet, "a symbol facet", |facet| facet.wire(), |text| Facet::ALL
    .iter()
    .copied()
    .find(|f| f.wire() == text)
    .ok_or("unknown_value"));
