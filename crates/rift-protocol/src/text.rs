//! How validated texts travel: one macro gives a type its string form and its schema.

/// Serde, schema, `Display`, `Debug` and `FromStr` for a type with `as_str(&self) -> &str` and
/// `parse(&str) -> Result<Self, Violation>`. The schema's pattern is advice to callers; `parse` decides.
macro_rules! string_form {
    ($name:ident, min $min:expr, max $max:expr, pattern $pattern:expr) => {
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::Violation;

            fn from_str(text: &str) -> Result<Self, $crate::Violation> {
                Self::parse(text)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(deserializer)?;
                Self::parse(&text).map_err(|v| serde::de::Error::custom(format_args!("violation {v}")))
            }
        }

        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({
                    "type": "string",
                    "minLength": $min,
                    "maxLength": $max,
                    "pattern": $pattern,
                })
            }
        }
    };
}

pub(crate) use string_form;

/// Whether `text` is `count` lowercase hexadecimal digits.
pub(crate) fn is_hex(text: &str, count: usize) -> bool {
    text.len() == count && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}
