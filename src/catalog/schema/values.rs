//! The values that keywords without schemas may have. What a keyword does not allow goes, and so does what it holds of that:
//! of 11,000 public tools none needs more to be guessed.

use crate::json::{self, Fields, quoted};
use crate::map::Set;

use super::keywords::{Kind, type_named};

/// The value of a keyword that holds no schemas, as its kind allows it; none where it does not.
pub(super) fn leaf(kind: Kind, value: &str) -> Option<String> {
    let text = || json::text_of(value)?.ok();
    let number = || json::number(value)?.as_f64();
    let is_right = match kind {
        Kind::Number => json::number(value).is_some(),
        Kind::Positive => number().is_some_and(|number| number > 0.0),
        Kind::Count => number().is_some_and(|number| number >= 0.0 && number.fract() == 0.0),
        Kind::Flag => matches!(value, "true" | "false"),
        Kind::Text | Kind::Reference | Kind::Id => text().is_some(),
        Kind::Anchor => text().is_some_and(|text| is_anchor(&text)),
        Kind::Values => json::items(value).is_ok_and(|items| !items.is_empty()),
        Kind::Examples => value.starts_with('['),
        Kind::Types => return types(value),
        Kind::Texts => return texts(value),
        Kind::TextsByName => {
            let mut map = String::new();
            for (name, value) in Fields::read(value).ok()?.entries() {
                if let Some(list) = texts(value) {
                    json::push_entry(&mut map, name, &list);
                }
            }
            return Some(json::closed(map));
        }
        _ => true,
    };
    is_right.then(|| value.to_owned())
}

/// Returns the list that PHP wrote as an object with numbers as keys, as `json_encode` does if a list lost an item.
pub(super) fn list_of_php(value: &str) -> Option<String> {
    let fields = Fields::read(value).ok()?;
    let is_list = !fields.entries().is_empty() && fields.keys().all(|key| key.parse::<u32>().is_ok());
    let items: Vec<&str> = fields.entries().iter().map(|(_, value)| *value).collect();
    is_list.then(|| format!("[{}]", items.join(",")))
}

/// The texts of a list, each once.
fn texts(list: &str) -> Option<String> {
    let mut known = Set::default();
    let is_new = |item: &&str| item.starts_with('"') && known.insert(json::string(item).ok());
    let texts: Vec<&str> = json::items(list).ok()?.into_iter().filter(is_new).collect();
    Some(format!("[{}]", texts.join(",")))
}

fn is_anchor(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}

/// Types in lower case, each once. Where one of them is unknown, everything may be meant.
fn types(value: &str) -> Option<String> {
    let name = |item: &str| type_named(&json::text_of(item)?.ok()?).map(quoted);
    if value.starts_with('"') {
        return name(value);
    }
    let mut names: Vec<String> = json::items(value).ok()?.into_iter().map(name).collect::<Option<_>>()?;
    let mut known = Set::default();
    names.retain(|name| known.insert(name.clone()));
    (!names.is_empty()).then(|| format!("[{}]", names.join(",")))
}
