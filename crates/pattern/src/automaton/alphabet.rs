//! Classes of characters: those that stand in the same of a pattern's sets are one class, and threads look at classes only.

use super::set::CharSet;

const ASCII: usize = 128;
/// What words are made of, as RE2 has it.
pub(crate) const WORD: &[(char, char)] = &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')];

/// What stands on one side of a place in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beside {
    /// Nothing: the text begins or ends.
    Nothing,
    Newline,
    Word,
    Other,
}

impl Beside {
    pub(super) const ALL: [Beside; 4] = [Beside::Nothing, Beside::Newline, Beside::Word, Beside::Other];
}

/// The classes of a pattern's characters.
pub(super) struct Alphabet {
    /// Where a class begins, by rising code point, and which it is.
    begins: Vec<(u32, u16)>,
    /// The classes of ASCII, which most texts are written in.
    ascii: [u16; ASCII],
    /// For every class, which sets hold it.
    held: Vec<Vec<bool>>,
    /// For every class, what it is to the places beside it.
    beside: Vec<Beside>,
}

impl Alphabet {
    /// The classes of the characters of some sets; only where the pattern looks around are newlines and words apart.
    pub(super) fn new(sets: &[CharSet], looks: bool) -> Self {
        let pairs = |pairs: &[(char, char)]| CharSet::from_pairs(if looks { pairs } else { &[] });
        let (line, word) = (pairs(&[('\n', '\n')]), pairs(WORD));
        let mut edges: Vec<u32> = vec![0];
        sets.iter().chain([&line, &word]).for_each(|set| edges.extend(set.edges()));
        edges.sort_unstable();
        edges.dedup();

        let mut alphabet = Alphabet { begins: Vec::new(), ascii: [0; ASCII], held: Vec::new(), beside: Vec::new() };
        for edge in edges {
            let held: Vec<bool> = sets.iter().map(|set| set.holds(edge)).collect();
            let beside = match edge {
                _ if line.holds(edge) => Beside::Newline,
                _ if word.holds(edge) => Beside::Word,
                _ => Beside::Other,
            };
            let same = |class: &usize| alphabet.held[*class] == held && alphabet.beside[*class] == beside;
            let class = (0..alphabet.held.len()).find(same).unwrap_or_else(|| {
                alphabet.held.push(held);
                alphabet.beside.push(beside);
                alphabet.held.len() - 1
            });
            alphabet.begins.push((edge, class as u16));
        }
        for code in 0..ASCII {
            alphabet.ascii[code] = alphabet.search(code as u32);
        }
        alphabet
    }

    /// How many classes there are, the end of the text included.
    pub(super) fn classes(&self) -> usize {
        self.held.len() + 1
    }

    pub(super) fn class(&self, c: char) -> u16 {
        match self.ascii.get(c as usize) {
            Some(class) => *class,
            None => self.search(c as u32),
        }
    }

    /// The class that stands for the end of the text.
    pub(super) fn end(&self) -> u16 {
        self.held.len() as u16
    }

    /// Whether a set holds the characters of a class.
    pub(super) fn holds(&self, set: u16, class: u16) -> bool {
        self.held.get(usize::from(class)).is_some_and(|held| held[usize::from(set)])
    }

    /// What a class is to the places beside it.
    pub(super) fn beside(&self, class: u16) -> Beside {
        self.beside.get(usize::from(class)).copied().unwrap_or(Beside::Nothing)
    }

    fn search(&self, code: u32) -> u16 {
        let at = self.begins.partition_point(|(begin, _)| *begin <= code);
        self.begins[at - 1].1
    }
}
