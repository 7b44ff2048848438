//! Forms names: aliases for names that vendors refuse, and numbers for names that are taken. `naming.rs` decides which
//! names are taken.

use std::borrow::Cow;

use crate::error::{Error, ErrorCode, Result, excerpt};
use crate::limits;
use crate::macros::choices;
use crate::map::Map;

use super::tool::ToolKey;

choices! {
    /// The names that a registration accepts.
    #[derive(Default)]
    pub enum NamePolicy {
        /// A name that a vendor would refuse causes an error, which offers a safe alias.
        #[default]
        Strict = "strict",
        /// The safe alias becomes the name that the model sees.
        Alias = "alias",
        /// Any name of at most [`limits::ANY_NAME_CHARS`] characters without control characters.
        Any = "any",
    }
}

/// Returns the model-facing name of a tool that is registered under `name`.
///
/// # Errors
/// `name_empty`, `name_too_long`, `name_unsafe`; the last two offer an alias.
pub fn model_name(name: &str, policy: NamePolicy) -> Result<String> {
    if name.trim().is_empty() {
        return Err(Error::new(ErrorCode::NameEmpty, format!("a tool's name is empty: {}", excerpt(name))));
    }
    let chars = name.chars().count();
    if policy == NamePolicy::Alias {
        return Ok(safe_alias(name));
    }
    let most = if policy == NamePolicy::Any { limits::ANY_NAME_CHARS } else { limits::NAME_CHARS };
    if chars > most {
        let message = format!("name {} has {chars} characters; at most {most}", excerpt(name));
        return Err(Error::new(ErrorCode::NameTooLong, message).with_alias(safe_alias(name)));
    }
    let unsafe_char = match policy {
        NamePolicy::Any => name.chars().find(|c| c.is_control()),
        _ => name.chars().find(|c| !is_safe(*c)),
    };
    if let Some(c) = unsafe_char {
        let alias = safe_alias(name);
        let message = format!(
            "name {} holds {c:?}; vendors accept letters, digits, '_' and '-' only (a safe alias: {alias})",
            excerpt(name)
        );
        return Err(Error::new(ErrorCode::NameUnsafe, message).with_alias(alias));
    }
    Ok(name.to_owned())
}

fn is_safe(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

/// Makes a name of 1 to 64 safe characters. If letters or digits are dropped, or the name is too long, a hash of the whole
/// name is added, so that two such names stay different.
pub fn safe_alias(name: &str) -> String {
    let mut alias = String::new();
    let mut lost = false;
    for c in name.chars() {
        if is_safe(c) {
            alias.push(c);
        } else {
            lost |= c.is_alphanumeric() || !c.is_ascii();
            if !alias.is_empty() && !alias.ends_with('_') {
                alias.push('_');
            }
        }
    }
    let alias = alias.trim_end_matches('_');
    match alias {
        "" => format!("tool_{:08x}", hash(name)),
        _ if lost || alias.len() > limits::NAME_CHARS => shorten(alias, name, limits::NAME_CHARS),
        _ => alias.to_owned(),
    }
}

/// Returns a free name: the wanted one, else `server__name`, else one with a number.
///
/// `numbers` has the last number used for each name. The search starts at that number, because all lower ones are taken.
/// It tries that number again, because its tool may not have been registered. Clear `numbers` when a tool is removed.
pub fn unique(
    wanted: &str,
    server: Option<&str>,
    policy: NamePolicy,
    is_taken: impl Fn(&str) -> bool,
    numbers: &mut Map<String, usize>,
) -> String {
    let fit = |name: String| {
        let most = if policy == NamePolicy::Any { limits::ANY_NAME_CHARS } else { limits::NAME_CHARS };
        if name.chars().count() > most { shorten(&name, &name, most) } else { name }
    };
    if !is_taken(wanted) {
        return wanted.to_owned();
    }
    let base = match server {
        Some(server) => fit(format!("{}__{wanted}", safe_alias(server))),
        None => wanted.to_owned(),
    };
    if !is_taken(&base) {
        return base;
    }
    let mut number = numbers.get(&base).copied().unwrap_or(2);
    loop {
        let name = fit(format!("{base}_{number}"));
        if !is_taken(&name) {
            numbers.insert(base, number);
            return name;
        }
        number += 1;
    }
}

/// Returns the name under which Google's format declares a tool. Gemini refuses names that do not begin with a letter
/// or `_`; such a name gets the prefix `_`.
pub fn google_name(name: &str) -> Cow<'_, str> {
    // A model that writes no name does not mean the tool `_`.
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        return Cow::Borrowed(name);
    }
    let safe = format!("_{name}");
    Cow::Owned(if name.chars().count() == limits::NAME_CHARS { shorten(&safe, name, limits::NAME_CHARS) } else { safe })
}

/// Returns the first characters of a text and a hash of `whole`, together at most `most` characters.
fn shorten(text: &str, whole: &str, most: usize) -> String {
    const HASH_CHARS: usize = 9;
    let start: String = text.chars().take(most - HASH_CHARS).collect();
    format!("{}_{:08x}", start.trim_end_matches('_'), hash(whole))
}

/// Computes FNV-1a with 32 bits: it is short and the same on every machine. Aliases do not need a secure hash.
fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |h, b| (h ^ u32::from(b)).wrapping_mul(0x0100_0193))
}

/// Returns the name of a tool without the prefix of its server's name, if it has one.
pub(crate) fn own_name(key: &ToolKey) -> &str {
    let name = &*key.name;
    let Some(server) = key.server.as_deref() else { return name };
    // Some clients add `mcp__` before the server.
    let name = name.strip_prefix("mcp__").unwrap_or(name);
    let mut rest = name.char_indices().filter(|(_, c)| c.is_alphanumeric());
    for wanted in server.chars().filter(|c| c.is_alphanumeric()) {
        match rest.next() {
            Some((_, c)) if c.to_lowercase().eq(wanted.to_lowercase()) => {}
            _ => return name,
        }
    }
    match rest.next() {
        // `weatherbit` of the server `weather` has no server prefix, `weather_get` has one.
        Some((at, _)) if name[..at].ends_with(|c: char| !c.is_alphanumeric()) => &name[at..],
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_model_name(name: &str) -> bool {
        (1..=limits::NAME_CHARS).contains(&name.len()) && name.chars().all(is_safe)
    }

    #[test]
    fn aliases_are_safe_and_stay_apart() {
        assert_eq!(safe_alias("whatsapp.send"), "whatsapp_send");
        assert_eq!(safe_alias("  crm contacts / import "), "crm_contacts_import");
        let names =
            ["日本語翻訳", "日本語検索", "café", "cafè", "😀", "", "...", "/", &"x".repeat(80), &"é".repeat(300)];
        let mut aliases: Vec<String> = names.iter().map(|n| safe_alias(n)).collect();
        assert!(aliases.iter().all(|a| is_model_name(a)), "{aliases:?}");
        aliases.sort();
        aliases.dedup();
        assert_eq!(aliases.len(), names.len());
    }

    #[test]
    fn strict_names_are_what_vendors_accept() {
        assert_eq!(model_name("read_file-2", NamePolicy::Strict).as_deref(), Ok("read_file-2"));
        let refused =
            |name: &str| model_name(name, NamePolicy::Strict).map_err(|e| (e.code(), e.alias().map(str::to_owned)));
        assert_eq!(refused(" "), Err((ErrorCode::NameEmpty, None)));
        assert_eq!(refused("a b"), Err((ErrorCode::NameUnsafe, Some("a_b".to_owned()))));
        assert!(matches!(refused(&"n".repeat(65)), Err((ErrorCode::NameTooLong, Some(_)))));
        assert!(refused(&"n".repeat(64)).is_ok());
    }

    #[test]
    fn a_taken_name_is_qualified_then_numbered() {
        let taken = |names: &'static [&'static str]| move |n: &str| names.contains(&n);
        let strict = NamePolicy::Strict;
        let mut numbers = Map::default();
        let mut unique = |name: &str, server, is_taken: &dyn Fn(&str) -> bool| {
            super::unique(name, Some(server), strict, is_taken, &mut numbers)
        };
        assert_eq!(unique("search", "git hub", &taken(&[])), "search");
        assert_eq!(unique("search", "git hub", &taken(&["search"])), "git_hub__search");
        assert_eq!(unique("search", "a", &taken(&["search", "a__search"])), "a__search_2");
        let long = "x".repeat(64);
        let qualified = unique(&long, "server", &|n: &str| n == long);
        assert!(is_model_name(&qualified) && qualified.starts_with("server__xx"), "{qualified}");
    }

    #[test]
    fn numbers_that_are_taken_are_not_tried_again() {
        let mut numbers = Map::default();
        let tried = std::cell::Cell::new(0);
        let mut taken: Vec<String> = vec!["a".into()];
        for _ in 0..100 {
            let is_taken = |name: &str| {
                tried.set(tried.get() + 1);
                taken.iter().any(|taken| taken == name)
            };
            let name = unique("a", None, NamePolicy::Strict, is_taken, &mut numbers);
            taken.push(name);
        }
        assert_eq!((taken.last().map(String::as_str), tried.get()), (Some("a_101"), 399));
    }

    #[test]
    fn google_names_begin_with_a_letter_or_underscore() {
        let long = format!("9{}", "x".repeat(63));
        for name in ["a", "_1", "Z-9", "1st", "-x", "9", &long] {
            let google = google_name(name);
            assert!(
                is_model_name(&google) && !google.starts_with(|c: char| c == '-' || c.is_ascii_digit()),
                "{google}"
            );
            assert_eq!(google == name, name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'));
        }
        assert_eq!(google_name(""), "");
    }
}
