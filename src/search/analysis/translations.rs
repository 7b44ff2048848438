//! Reads a table of translations from everyday words to words of tools: for each word, the words that it means, each
//! with the share of cases.

use std::borrow::Cow;
use std::sync::Arc;

use crate::error::{Error, ErrorCode, Result, excerpt};
use crate::limits;
use crate::map::Map;
use crate::search::analysis::stem::stem;
use crate::search::analysis::tokenizer::{Cut, each_word, is_unspaced};

/// A table of translations from everyday words to words of tools.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Translations(Arc<Table>);

#[derive(Debug, Default, PartialEq)]
struct Table {
    /// The stems of the words of tools.
    targets: Vec<String>,
    /// By stem, or by run of a script without blanks: the words that it means, by place in `targets`, each with its
    /// share.
    rows: Map<String, Vec<(usize, f64)>>,
    /// The length of the longest such run in characters.
    longest_run: usize,
}

impl Translations {
    /// Reads a table with one word per line, and after it each word of tools that it means, with the share of cases:
    /// above 0 and at most 1, which is also the default. A word without such words counts only if a tool has it. Blank
    /// lines and lines that begin with `#` are skipped.
    ///
    /// ```
    /// let table = toolsift::Translations::read("# people's words\nbill invoice:0.4 payment:0.1\nrechnung invoice")?;
    /// # let _ = table;
    /// # Ok::<(), toolsift::Error>(())
    /// ```
    ///
    /// # Errors
    /// `option_invalid` for an invalid line, with its number, and for a text of more than 4 MB.
    pub fn read(text: &str) -> Result<Translations> {
        if text.len() > limits::TRANSLATION_BYTES {
            let message = format!("translations has {} bytes; at most {}", text.len(), limits::TRANSLATION_BYTES);
            return Err(Error::new(ErrorCode::OptionInvalid, message));
        }
        let mut table = Table::default();
        let mut places: Map<&str, usize> = Map::default();
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
            let mut words = line.split_whitespace();
            let Some(first) = words.next() else { continue };
            let row = words.map(|word| {
                let (word, share) = target_of(word)?;
                let place = places.get(word).copied().or_else(|| {
                    table.targets.push(stem(&word_of(word)?));
                    places.insert(word, table.targets.len() - 1);
                    Some(table.targets.len() - 1)
                });
                Some((place?, share))
            });
            let (key, row) = word_of(first).zip(row.collect::<Option<Vec<_>>>()).ok_or_else(|| {
                let wanted = "a word, and words that it is said for with their shares: `bill invoice:0.4 payment:0.1`";
                let message = format!("translations line {} is {}; it must be {wanted}", at + 1, excerpt(line));
                Error::new(ErrorCode::OptionInvalid, message)
            })?;
            if key.starts_with(is_unspaced) {
                table.longest_run = table.longest_run.max(key.chars().count());
            }
            table.rows.entry(stem(&key)).or_default().extend(row);
        }
        Ok(Translations(Arc::new(table)))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.rows.is_empty()
    }

    /// Returns true if the table has a word; `key` is a stem, or a run of a script without blanks.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.0.rows.contains_key(key)
    }

    /// Returns true if the table has a word without translations; `key` is as for `has`.
    pub(crate) fn says_nothing(&self, key: &str) -> bool {
        self.0.rows.get(key).is_some_and(Vec::is_empty)
    }

    /// Returns the stems of the translations of a word, each with its share; `key` is as for `has`.
    pub(crate) fn of(&self, key: &str) -> impl Iterator<Item = (&str, f64)> {
        self.0.rows.get(key).into_iter().flatten().map(|(place, share)| (&*self.0.targets[*place], *share))
    }

    /// Calls back with the words of the table in a text of a script without blanks: from left to right, always the
    /// longest one.
    pub(crate) fn each_run(&self, text: &str, mut take: impl FnMut(&str)) {
        let mut rest = text;
        while let Some(from) = rest.find(is_unspaced).filter(|_| self.0.longest_run > 0) {
            rest = &rest[from..];
            let ends = rest.char_indices().take_while(|(_, letter)| is_unspaced(*letter)).take(self.0.longest_run);
            let ends: Vec<usize> = ends.map(|(at, letter)| at + letter.len_utf8()).collect();
            let found = ends.iter().rev().copied().find(|end| self.has(&rest[..*end]));
            if let Some(end) = found {
                take(&rest[..end]);
            }
            rest = &rest[found.unwrap_or(ends[0])..];
        }
    }
}

fn target_of(pair: &str) -> Option<(&str, f64)> {
    let Some((word, share)) = pair.rsplit_once(':') else { return Some((pair, 1.0)) };
    Some((word, share.parse().ok().filter(|share| *share > 0.0 && *share <= 1.0)?))
}

/// Returns the single word that a text is, or the run of a script without blanks that it is.
fn word_of(text: &str) -> Option<Cow<'_, str>> {
    if text.chars().all(|letter| letter.is_ascii_lowercase()) || text.chars().all(is_unspaced) {
        return Some(text.into());
    }
    let mut words = Vec::new();
    each_word(text, |word, cut| words.extend((cut != Cut::Part).then(|| word.to_owned())));
    if words.len() == 1 { words.pop().map(Cow::Owned) } else { None }
}
