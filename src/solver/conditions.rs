//! The conditions that results of long work depend on, compared before it goes on.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;

/// What is different in two values of a type as they are written, in the order of the names: the name, such as
/// `engine 2, nodes`, and what each has there.
pub fn differences<T: Serialize>(one: &T, other: &T) -> Vec<(String, Value, Value)> {
    let [one, other] = [one, other].map(|value| {
        // By way of text, where numbers have the digits that people gave them.
        let text = serde_json::to_string(value).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    });
    let mut found = Vec::new();
    add_differences("", &one, &other, &mut found);
    found
}

/// In what the conditions of two pieces of work differ of which one continues the other, all that results depend on: rules,
/// limits, network, tables, memory, threads. As `hash 16 there, 64 here; threads 1 there, 2 here`; `None` if it can go on.
pub fn other_conditions<T: Serialize>(there: &T, here: &T) -> Option<String> {
    let shown = |value: Value| match value {
        Value::String(text) => format!("'{text}'"),
        Value::Null => "none".to_owned(),
        value => value.to_string(),
    };
    let text = |(name, there, here): (String, Value, Value)| {
        let name = name.replace('_', " ");
        format!("{name} {} there, {} here", shown(there), shown(here))
    };
    let all: Vec<String> = differences(there, here).into_iter().map(text).collect();
    (!all.is_empty()).then(|| all.join("; "))
}

fn add_differences(
    name: &str,
    one: &Value,
    other: &Value,
    found: &mut Vec<(String, Value, Value)>,
) {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            let keys: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
            for key in keys {
                let [one, other] = [one, other].map(|map| map.get(key).unwrap_or(&Value::Null));
                let comma = if name.is_empty() { "" } else { ", " };
                add_differences(&format!("{name}{comma}{key}"), one, other, found);
            }
        }
        // A number of a list says little without the others.
        (Value::Array(one), Value::Array(other))
            if one.len() == other.len() && !one.iter().any(Value::is_number) =>
        {
            for (number, (one, other)) in (1_u32..).zip(one.iter().zip(other)) {
                add_differences(&format!("{name} {number}"), one, other, found);
            }
        }
        _ if one == other => {}
        _ => found.push((name.to_owned(), one.clone(), other.clone())),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_first_difference_is_named() {
        let name = |one: Value, other: Value| {
            let (name, ..) = differences(&one, &other).into_iter().next()?;
            Some(name)
        };
        assert_eq!(name(json!({"a": 1}), json!({"a": 1})), None);
        assert_eq!(name(json!({"a": 1}), json!({"a": 2})).as_deref(), Some("a"));
        assert_eq!(name(json!({}), json!({"b": 2})).as_deref(), Some("b"));
        let engines = |nodes| json!({"engine": [{"nodes": 5}, {"nodes": nodes}]});
        let different = name(engines(5), engines(6));
        assert_eq!(different.as_deref(), Some("engine 2, nodes"));
        let more = json!({"engine": [{"nodes": 5}]});
        assert_eq!(name(engines(5), more).as_deref(), Some("engine"));
        let found = differences(&json!({"a_b": [4, 12]}), &json!({"a_b": [4, 6]}));
        assert_eq!(found, [("a_b".to_owned(), json!([4, 12]), json!([4, 6]))]);
    }
}
