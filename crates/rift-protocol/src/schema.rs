//! JSON schemas of requests and answers, in the form that MCP clients read best.

use std::borrow::Cow;

use schemars::generate::SchemaSettings;
use schemars::transform::transform_subschemas;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value};

use crate::limits::INTEGER_MAX;

/// The schema of `T` (JSON Schema draft 2020-12) as an object schema. Definitions stand where they are used, save
/// recursive ones; an optional member is one that may be left out, never null.
pub fn of<T: JsonSchema>() -> Map<String, Value> {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    plain(&mut schema);
    let mut object = match schema.to_value() {
        Value::Object(object) => object,
        _ => Map::new(),
    };
    object.entry("type").or_insert_with(|| "object".into());
    object
}

/// Takes `null` out of every type and states the largest integer.
fn plain(schema: &mut Schema) {
    transform_subschemas(&mut plain, schema);
    let Some(object) = schema.as_object_mut() else { return };
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|t| t != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            object.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(values)) = object.get_mut("enum") {
        values.retain(|v| !v.is_null());
    }
    lift_only_choice(object);
    if object.get("format").is_some_and(|f| f == "uint64") {
        object.remove("format");
        object.entry("minimum").or_insert(0.into());
        object.entry("maximum").or_insert(INTEGER_MAX.into());
    }
    if object.get("default").is_some_and(Value::is_null) {
        object.remove("default");
    }
}

/// `anyOf [X, null]`, the schema of an optional reference, is `X`.
fn lift_only_choice(object: &mut Map<String, Value>) {
    let Some(Value::Array(choices)) = object.get_mut("anyOf") else { return };
    choices.retain(|choice| choice.get("type").is_none_or(|t| t != "null"));
    if choices.len() != 1 {
        return;
    }
    if let Some(Value::Array(mut choices)) = object.remove("anyOf")
        && let Some(Value::Object(only)) = choices.pop()
    {
        for (key, value) in only {
            object.entry(key).or_insert(value);
        }
    }
}

/// Gives a foreign type that travels as a string its schema.
macro_rules! foreign {
    ($(#[$doc:meta])* $name:ident, $schema:tt) => {
        $(#[$doc])*
        pub(crate) struct $name;

        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        }
    };
}

foreign!(
    /// `rift_base::ProjectPath`.
    PathSchema,
    { "type": "string", "maxLength": 4096, "pattern": "^(?:[^/\\\\]+(?:/[^/\\\\]+)*)?$" }
);
foreign!(
    /// `rift_base::Language`.
    LanguageSchema,
    { "type": "string", "pattern": "^[a-z][a-z0-9._-]{0,63}(?::[a-z][a-z0-9._-]{0,63})?$" }
);

/// `rift_base::Facet`.
pub(crate) struct FacetSchema;

impl JsonSchema for FacetSchema {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "SymbolFacet".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let words: Vec<&str> = rift_base::Facet::ALL.iter().map(|facet| facet.wire()).collect();
        json_schema!({ "type": "string", "enum": words })
    }
}
