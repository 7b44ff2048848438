//! What values in a schema can only have meant: texts that name types, PHP's `[]` for an empty map and `{"0": …}` for a list,
//! numbers and truth values in quotes.

use crate::json::{self, Fields, quoted};
use crate::map::Set;

use super::keywords::{Kind, type_named};

/// The items of a list. PHP writes a list from which something was taken as an object with numbers as keys.
pub(super) fn items_of(value: &str) -> Option<Vec<&str>> {
    if value.starts_with('[') {
        return json::items(value).ok();
    }
    let fields = Fields::read(value).ok()?;
    let is_list = !fields.entries().is_empty() && fields.keys().all(|key| key.parse::<u32>().is_ok());
    is_list.then(|| fields.entries().iter().map(|(_, value)| *value).collect())
}

/// The schema that a value which is no schema can only have meant.
pub(super) fn schema_meant(value: &str) -> Option<String> {
    match value {
        "[]" => Some("{}".to_owned()),
        r#""true""# | r#""false""# => Some(value.trim_matches('"').to_owned()),
        _ => Some(format!("{{\"type\":\"{}\"}}", type_named(&json::text_of(value)?.ok()?)?)),
    }
}

/// The value of a keyword that holds no schemas, as its kind allows it; none where it can mean nothing.
pub(super) fn leaf(kind: Kind, value: &str) -> Option<String> {
    let text = || json::text_of(value)?.ok();
    let same = || value.to_owned();
    // A number keeps its digits as they were written.
    let number_if = |is_right: fn(f64) -> bool| {
        let written = text().unwrap_or(value.into());
        let number = json::number(written.trim())?;
        number.as_f64().is_none_or(is_right).then(|| written.trim().to_owned())
    };
    match kind {
        Kind::Number => number_if(|_| true),
        Kind::Positive => number_if(|number| number > 0.0),
        Kind::Count => number_if(|number| number >= 0.0 && number.fract() == 0.0),
        Kind::Flag => matches!(value, "true" | "false")
            .then(same)
            .or_else(|| text().filter(|text| matches!(&**text, "true" | "false")).map(|text| text.into_owned())),
        Kind::Reference => text().map(|_| same()),
        Kind::Id => text().map(|_| same()),
        Kind::Anchor => text().filter(|text| is_anchor(text)).map(|_| same()),
        Kind::Text => text().map(|_| same()).or_else(|| match value.as_bytes()[0] {
            b'-' | b'0'..=b'9' | b't' | b'f' => Some(quoted(value)),
            b'[' => Some(quoted(&texts(value)?.join("\n"))).filter(|_| value != "[]"),
            _ => None,
        }),
        Kind::Types => types(value),
        Kind::Texts => {
            let alone = text().map(|_| vec![value]);
            let mut known = Set::default();
            let list = alone.or_else(|| items_of(value))?;
            let list = list.into_iter().filter(|item| item.starts_with('"') && known.insert(json::string(item).ok()));
            Some(listed(list))
        }
        Kind::TextsByName => {
            if value == "[]" {
                return Some("{}".to_owned());
            }
            let mut map = String::new();
            for (name, value) in Fields::read(value).ok()?.entries() {
                if let Some(list) = leaf(Kind::Texts, value) {
                    json::push_entry(&mut map, name, &list);
                }
            }
            Some(json::closed(map))
        }
        Kind::Values => match value.as_bytes()[0] {
            // A text may hold several values; nobody knows how they are separated.
            b'"' if text().is_some_and(|text| text.contains([',', '|', ';', '\n'])) => None,
            b'n' => None,
            b'{' | b'[' => items_of(value).filter(|items| !items.is_empty()).map(|items| listed(items.into_iter())),
            _ => Some(format!("[{value}]")),
        },
        Kind::Examples => match items_of(value) {
            Some(_) if value.starts_with('[') => Some(same()),
            Some(items) => Some(listed(items.into_iter())),
            None => Some(format!("[{value}]")),
        },
        _ => Some(same()),
    }
}

fn listed<'v>(items: impl Iterator<Item = &'v str>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(","))
}

/// The texts in a list, where it has nothing else.
fn texts(list: &str) -> Option<Vec<String>> {
    json::items(list).ok()?.into_iter().map(|item| json::string(item).ok()).collect()
}

fn is_anchor(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}

/// Types. Where one of them is unknown, everything may be meant.
fn types(value: &str) -> Option<String> {
    if let Some(text) = json::text_of(value) {
        let names: Option<Vec<_>> = text.ok()?.split('|').map(type_named).collect();
        return match &*names? {
            [name] => Some(quoted(name)),
            names => listed_types(names),
        };
    }
    let items = items_of(value)?;
    let name = |item: &str| match item {
        "null" => Some("null"),
        _ => type_named(&json::text_of(item)?.ok()?),
    };
    listed_types(&items.into_iter().map(name).collect::<Option<Vec<_>>>()?)
}

fn listed_types(names: &[&'static str]) -> Option<String> {
    let mut known: Vec<String> = Vec::new();
    for name in names.iter().map(|name| quoted(name)) {
        if !known.contains(&name) {
            known.push(name);
        }
    }
    (!known.is_empty()).then(|| format!("[{}]", known.join(",")))
}
