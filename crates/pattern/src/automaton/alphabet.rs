//! Groups characters into classes: characters that are in the same sets of a pattern form one class. The automaton
//! reads classes only.

use super::set::CharSet;

const ASCII: usize = 128;
/// The characters of words, as defined by RE2.
pub(crate) const WORD: &[(char, char)] = &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')];

/// The neighbour on one side of a place in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beside {
    /// No character: the text begins or ends here.
    Nothing,
    Newline,
    Word,
    Other,
}

/// The classes of a pattern's characters.
pub(super) struct Alphabet {
    /// The first code point of each range, ascending, with the class of the range.
    begins: Vec<(u32, u16)>,
    /// The classes of ASCII characters, which most texts consist of.
    ascii: [u16; ASCII],
    /// For every class: the sets that contain it.
    held: Vec<Vec<bool>>,
    /// For every class: its kind as a neighbour.
    beside: Vec<Beside>,
}

impl Alphabet {
    /// Computes the classes for some sets. Newlines and word characters have separate classes only if the pattern uses
    /// `looks`.
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

    /// Returns the number of classes, including the end of the text.
    pub(super) fn classes(&self) -> usize {
        self.held.len() + 1
    }

    pub(super) fn class(&self, c: char) -> u16 {
        match self.ascii.get(c as usize) {
            Some(class) => *class,
            None => self.search(c as u32),
        }
    }

    /// Returns the class of the end of the text.
    pub(super) fn end(&self) -> u16 {
        self.held.len() as u16
    }

    /// Returns true if a set contains the characters of a class.
    pub(super) fn holds(&self, set: u16, class: u16) -> bool {
        self.held.get(usize::from(class)).is_some_and(|held| held[usize::from(set)])
    }

    /// Returns the kind of a class as a neighbour.
    pub(super) fn beside(&self, class: u16) -> Beside {
        self.beside.get(usize::from(class)).copied().unwrap_or(Beside::Nothing)
    }

    fn search(&self, code: u32) -> u16 {
        let at = self.begins.partition_point(|(begin, _)| *begin <= code);
        self.begins[at - 1].1
    }
}
