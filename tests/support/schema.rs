//! The JSON schemas of `docs/schema`, and a checker that knows what they need.

use std::fs;
use std::path::Path;

use serde_json::Value;

/// Requires that `value` is what `schema`, a part of `root`, says. Of JSON Schema it knows what the schemas
/// here need.
pub fn check(value: &Value, schema: &Value, root: &Value, place: &str) -> Result<(), String> {
    let wrong = |what: &str| Err(format!("{place}: {what}: {value}"));
    let keys = schema.as_object().expect("a schema is an object");
    for (key, wanted) in keys {
        match key.as_str() {
            "$ref" => {
                let name = wanted.as_str().and_then(|name| name.strip_prefix('#'));
                let target = name.and_then(|name| root.pointer(name));
                check(value, target.expect("a definition"), root, place)?;
            }
            "type" => {
                let is = |name: &Value| match name.as_str().expect("a name") {
                    "null" => value.is_null(),
                    "boolean" => value.is_boolean(),
                    "integer" => value.is_i64() || value.is_u64(),
                    "number" => value.is_number(),
                    "string" => value.is_string(),
                    "array" => value.is_array(),
                    "object" => value.is_object(),
                    other => panic!("no type {other}"),
                };
                let fits = match wanted.as_array() {
                    Some(names) => names.iter().any(is),
                    None => is(wanted),
                };
                if !fits {
                    return wrong(&format!("expected {wanted}"));
                }
            }
            "enum" if !wanted.as_array().expect("values").contains(value) => {
                return wrong(&format!("expected one of {wanted}"));
            }
            "const" if wanted != value => return wrong(&format!("expected {wanted}")),
            "required" => {
                for name in wanted.as_array().expect("names") {
                    if value.get(name.as_str().expect("a name")).is_none() {
                        return wrong(&format!("{name} is missing"));
                    }
                }
            }
            "properties" | "additionalProperties" => {}
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(item, wanted, root, &format!("{place}/{index}"))?;
                }
            }
            "oneOf" => {
                let schemas = wanted.as_array().expect("schemas").iter();
                let errors: Vec<String> = schemas
                    .filter_map(|schema| check(value, schema, root, place).err())
                    .collect();
                if errors.len() + 1 != wanted.as_array().map_or(0, Vec::len) {
                    return Err(errors.join("; "));
                }
            }
            "enum" | "const" | "$schema" | "$defs" | "title" | "description" => {}
            other => panic!("'{other}' is not known here"),
        }
    }
    for (name, part) in value.as_object().into_iter().flatten() {
        let place = format!("{place}/{name}");
        let known = schema.get("properties").and_then(|all| all.get(name));
        match known.or(schema.get("additionalProperties")) {
            Some(Value::Bool(false)) => return Err(format!("{place}: not in the schema")),
            Some(schema) => check(part, schema, root, &place)?,
            None => {}
        }
    }
    Ok(())
}

pub fn documents() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/docs"))
}

pub fn schema(name: &str) -> Value {
    let text = fs::read_to_string(documents().join("schema").join(name)).expect("a schema");
    serde_json::from_str(&text).expect("JSON")
}
