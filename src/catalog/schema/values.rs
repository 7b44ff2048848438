//! Checks the values of keywords that contain no schemas. Invalid values and invalid items of lists are removed, not
//! guessed at: none of 11,000 public tools needs that.

use crate::json::{Object, Value};
use crate::map::Set;

use super::keywords::{Kind, type_named};
use super::numbers::Numbers;

/// Returns the valid form of the value of a keyword that contains no schemas, or `None` if there is none.
pub(super) fn leaf(kind: Kind, value: &Value, numbers: &Numbers) -> Option<Value> {
    let is_right = match (kind, value) {
        (Kind::Number, _) => value.is_number(),
        (Kind::Positive, _) => numbers.double(value).is_some_and(|number| number > 0.0),
        (Kind::Count, _) => numbers.double(value).is_some_and(|number| number >= 0.0 && number.fract() == 0.0),
        (Kind::Flag, _) => value.is_boolean(),
        (Kind::Text | Kind::Reference | Kind::Id, _) => value.is_string(),
        (Kind::Anchor, _) => value.as_str().is_some_and(is_anchor),
        (Kind::Values, _) => value.as_array().is_some_and(|values| !values.is_empty()),
        (Kind::Examples, _) => value.is_array(),
        (Kind::Types, Value::Array(list)) => {
            let types: Option<Vec<Value>> = list.iter().map(type_of).collect();
            return types.map(each_once).filter(|types| !types.is_empty()).map(Value::Array);
        }
        (Kind::Types, _) => return type_of(value),
        (Kind::Texts, _) => return texts(value),
        (Kind::TextsByName, _) => {
            let Value::Object(map) = value else { return None };
            return Some(map.iter().filter_map(|(name, list)| Some((name.clone(), texts(list)?))).collect());
        }
        _ => true,
    };
    is_right.then(|| value.clone())
}

/// Returns true if PHP wrote a list as an object with numbers as keys, as `json_encode` does if the list lost an item.
pub(super) fn is_list_of_php(object: &Object) -> bool {
    !object.is_empty() && object.keys().all(|key| key.parse::<u32>().is_ok())
}

/// Returns the texts of a list, each once.
fn texts(list: &Value) -> Option<Value> {
    Some(each_once(list.as_array()?.iter().filter(|item| item.is_string()).cloned().collect()).into())
}

fn each_once(mut texts: Vec<Value>) -> Vec<Value> {
    let mut known = Set::default();
    texts.retain(|text| known.insert(text.as_str().map(str::to_owned)));
    texts
}

fn is_anchor(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}

/// Returns a type in lower case, or `None` if it is unknown, which then allows any type.
fn type_of(value: &Value) -> Option<Value> {
    value.as_str().and_then(type_named).map(Value::from)
}
