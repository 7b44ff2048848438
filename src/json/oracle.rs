//! Every reader of JSON against serde_json.

use serde_json::value::RawValue;

use super::theirs::as_theirs;
use super::*;

/// What the general reader takes, ours take, with the same content; what it refuses, ours refuse.
pub(crate) fn json(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let json = &*text;
    let theirs = serde_json::from_str::<serde_json::Value>(json).ok();
    assert_eq!(Value::read(json).ok().as_ref().map(as_theirs), theirs, "{json:?}");
    let theirs = serde_json::from_str::<&RawValue>(json).ok().map(RawValue::get);
    assert_eq!(checked(json).ok(), theirs, "{json:?}");
    assert_eq!(raw(json).is_ok(), theirs.is_some(), "{json:?}");
    let theirs = serde_json::from_str::<String>(json).ok();
    assert_eq!(string(json).ok(), theirs, "{json:?}");
    if let Some(text) = &theirs {
        assert_eq!(string(&quoted(text)).as_ref().ok(), Some(text));
    }
    let theirs = serde_json::from_str::<Vec<&RawValue>>(json).ok();
    let theirs: Option<Vec<&str>> = theirs.map(|list| list.into_iter().map(RawValue::get).collect());
    assert_eq!(items(json).ok(), theirs, "{json:?}");
    let ours = items_with_fields(json).ok();
    assert_eq!(ours.as_ref().map(|list| list.iter().map(|item| item.text).collect()), theirs, "{json:?}");
    for item in ours.into_iter().flatten() {
        let fields = Fields::read(item.text).ok();
        let inside = item.fields.and_then(Result::ok);
        assert_eq!(inside.as_ref().map(Fields::entries), fields.as_ref().map(Fields::entries), "{json:?}");
    }
    // As a value inside of an object, where it cannot end the object.
    let inside = format!("{{\"k\":{json}}}");
    let theirs = serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(&inside);
    if let (Ok(theirs), Ok(ours)) = (theirs, Object::read(&inside)) {
        let ours: serde_json::Map<_, _> =
            ours.entries().iter().map(|(k, value)| (k.clone(), as_theirs(value))).collect();
        assert_eq!(ours, theirs, "{inside:?}");
    }
}
