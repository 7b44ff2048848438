//! What is a tool called? Names that every vendor accepts, unique in the catalog, and an alias for those that are not.

use crate::error::{Error, ErrorCode, Result, excerpt};
use crate::limits;

/// What names are accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NamePolicy {
    /// Names that a vendor would refuse are errors that offer a safe alias.
    #[default]
    Strict,
    /// The safe alias becomes the name that the model sees.
    Alias,
    /// Any name of at most [`limits::ANY_NAME_CHARS`] characters without control characters.
    Any,
}

impl NamePolicy {
    /// Every value with its text form.
    pub const ALL: &[(&str, NamePolicy)] =
        &[("strict", NamePolicy::Strict), ("alias", NamePolicy::Alias), ("any", NamePolicy::Any)];
}

/// The name that the model is to see for a name as registered.
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

/// A name of 1 to 64 safe characters. Names that lose more than separators carry a hash of the whole name, so that
/// two of them stay apart.
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

/// A name that is not yet taken: the wanted one, else `server__name`, else one with a number.
pub fn unique(wanted: &str, server: Option<&str>, policy: NamePolicy, is_taken: impl Fn(&str) -> bool) -> String {
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
    let mut name = base.clone();
    let mut number = 2u64;
    while is_taken(&name) {
        name = fit(format!("{base}_{number}"));
        number += 1;
    }
    name
}

/// The first characters of a text and a hash of the whole, together at most `most` characters.
fn shorten(text: &str, whole: &str, most: usize) -> String {
    const HASH_CHARS: usize = 9;
    let start: String = text.chars().take(most - HASH_CHARS).collect();
    format!("{}_{:08x}", start.trim_end_matches('_'), hash(whole))
}

/// FNV-1a, 32 bits: short, the same everywhere, and not a matter of security here.
fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |h, b| (h ^ u32::from(b)).wrapping_mul(0x0100_0193))
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
        let refused = |name: &str| model_name(name, NamePolicy::Strict).map_err(|e| (e.code(), e.alias().is_some()));
        assert_eq!(refused(" "), Err((ErrorCode::NameEmpty, false)));
        assert_eq!(refused("a b"), Err((ErrorCode::NameUnsafe, true)));
        assert_eq!(refused(&"n".repeat(65)), Err((ErrorCode::NameTooLong, true)));
        assert!(refused(&"n".repeat(64)).is_ok());
    }

    #[test]
    fn a_taken_name_is_qualified_then_numbered() {
        let taken = |names: &'static [&'static str]| move |n: &str| names.contains(&n);
        let strict = NamePolicy::Strict;
        assert_eq!(unique("search", Some("git hub"), strict, taken(&[])), "search");
        assert_eq!(unique("search", Some("git hub"), strict, taken(&["search"])), "git_hub__search");
        assert_eq!(unique("search", Some("a"), strict, taken(&["search", "a__search"])), "a__search_2");
        let long = "x".repeat(64);
        let qualified = unique(&long, Some("server"), strict, |n| n == long);
        assert!(is_model_name(&qualified) && qualified.starts_with("server__xx"), "{qualified}");
    }
}
