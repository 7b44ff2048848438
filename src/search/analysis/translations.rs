//! What people say for the words of tools: a table of the host's, which holds for a word what it is said for, and in what
//! share of cases.

use std::borrow::Cow;
use std::sync::Arc;

use crate::error::{Error, ErrorCode, Result, excerpt};
use crate::limits;
use crate::map::Map;
use crate::search::analysis::stem::stem;
use crate::search::analysis::tokenizer::{Cut, each_word, is_unspaced};

/// A table of what people say for the words of tools.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Translations(Arc<Table>);

#[derive(Debug, Default, PartialEq)]
struct Table {
    text: String,
    /// By stem, or by run of a script without blanks: where the lines of its words begin in the text.
    lines: Map<String, Vec<usize>>,
    /// The characters of the longest such run.
    longest_run: usize,
}

impl Translations {
    /// Reads a table: one word a line, and behind it each word of tools that it is said for, with the share of cases, above 0 and
    /// at most 1, which is also what it is without. A word that is said for nothing counts only where a tool has it. Blank lines and lines that begin with `#` are
    /// passed over.
    ///
    /// ```
    /// let table = toolsift::Translations::read("# people's words\nbill invoice:0.4 payment:0.1\nrechnung invoice")?;
    /// # let _ = table;
    /// # Ok::<(), toolsift::Error>(())
    /// ```
    ///
    /// # Errors
    /// `option_invalid` for a line that is none, with its number, and for a text of more than 4 MB.
    pub fn read(text: &str) -> Result<Translations> {
        if text.len() > limits::TRANSLATION_BYTES {
            let message = format!("translations has {} bytes; at most {}", text.len(), limits::TRANSLATION_BYTES);
            return Err(Error::new(ErrorCode::OptionInvalid, message));
        }
        let mut table = Table { text: text.to_owned(), ..Table::default() };
        let mut from = 0;
        for (at, line) in text.split_inclusive('\n').enumerate() {
            let mut words = words_of(line);
            if let Some(word) = words.next() {
                let is_target = |word: &str| target_of(word).is_some_and(|(word, _)| word_of(word).is_some());
                let key = word_of(word).filter(|_| words.all(is_target)).map(|word| stem(&word)).ok_or_else(|| {
                    let message = format!(
                        "translations line {} is {}; it must be a word, and words that it is said for with their shares: `bill invoice:0.4 payment:0.1`",
                        at + 1,
                        excerpt(line.trim_end())
                    );
                    Error::new(ErrorCode::OptionInvalid, message)
                })?;
                if key.starts_with(is_unspaced) {
                    table.longest_run = table.longest_run.max(key.chars().count());
                }
                table.lines.entry(key).or_default().push(from);
            }
            from += line.len();
        }
        Ok(Translations(Arc::new(table)))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.lines.is_empty()
    }

    /// Whether the table has a word; `key` is a stem, or a run of a script without blanks.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.0.lines.contains_key(key)
    }

    /// Whether the table has a word that is said for nothing; `key` is as for `has`.
    pub(crate) fn says_nothing(&self, key: &str) -> bool {
        self.has(key) && self.of(key).next().is_none()
    }

    /// The words that a word is said for, each with its share; `key` is as for `has`.
    pub(crate) fn of<'t>(&'t self, key: &str) -> impl Iterator<Item = (&'t str, f64)> + use<'t> {
        let lines = self.0.lines.get(key).into_iter().flatten();
        lines.flat_map(|from| words_of(self.0.text[*from..].lines().next().unwrap_or("")).skip(1).filter_map(target_of))
    }

    /// Calls back with the words of the table in a text of a script without blanks: from left to right the longest that begins there.
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

fn words_of(line: &str) -> impl Iterator<Item = &str> {
    line.split_whitespace().take(if line.starts_with('#') { 0 } else { usize::MAX })
}

fn target_of(pair: &str) -> Option<(&str, f64)> {
    let Some((word, share)) = pair.rsplit_once(':') else { return Some((pair, 1.0)) };
    Some((word, share.parse().ok().filter(|share| *share > 0.0 && *share <= 1.0)?))
}

/// One word as it is read, or the run of a script without blanks that it is.
fn word_of(text: &str) -> Option<Cow<'_, str>> {
    if text.chars().all(|letter| letter.is_ascii_lowercase()) || text.chars().all(is_unspaced) {
        return Some(text.into());
    }
    let mut words = Vec::new();
    each_word(text, |word, cut| words.extend((cut != Cut::Part).then(|| word.to_owned())));
    if words.len() == 1 { words.pop().map(Cow::Owned) } else { None }
}
