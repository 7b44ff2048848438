//! Keeps answers of tools of which the model was shown the beginning, so that it can read on in them.

use std::sync::{Arc, Mutex, Weak};

use crate::limits;
use crate::lock::lock;

use super::Session;

/// An answer that was cut.
#[derive(Debug)]
pub struct CutAnswer {
    /// Which of its session's answers it is, from 1.
    pub number: usize,
    /// All of it.
    pub text: String,
    /// The tag of the element that each part of it stands in, if it is the text of a skill.
    pub tag: Option<String>,
    /// Characters that the model reads of it at once.
    pub page: usize,
}

/// The answers that are kept for all sessions, the oldest first. A session refers to its own; those of a session that has gone
/// are dropped when the next one is kept.
#[derive(Debug, Default)]
pub struct CutAnswers(Mutex<Vec<Arc<CutAnswer>>>);

/// A session's own answers that may be kept still, the oldest first, and how many it was given.
#[derive(Clone, Debug, Default)]
pub(super) struct OwnAnswers {
    given: usize,
    answers: Vec<Weak<CutAnswer>>,
}

impl CutAnswers {
    fn keep(&self, answer: CutAnswer) -> Weak<CutAnswer> {
        let mut all = lock(&self.0);
        let answer = Arc::new(answer);
        let kept = Arc::downgrade(&answer);
        all.push(answer);
        all.retain(|answer| Arc::weak_count(answer) > 0);
        let gone = surplus(all.len(), all.iter().map(|answer| answer.text.len()), limits::CUT_ANSWERS_BYTES);
        all.drain(..gone);
        kept
    }
}

impl Session {
    /// Keeps an answer, and forgets the oldest ones for it; `tag` begins the element of a skill's text. Returns its number; none
    /// if it is longer than may be kept.
    pub fn keep_answer(&mut self, text: &str, tag: Option<&str>, page: usize, all: &CutAnswers) -> Option<usize> {
        if text.len() > limits::SESSION_ANSWERS_BYTES {
            return None;
        }
        let is_known = |answer: &Arc<CutAnswer>| answer.text == text && answer.tag.as_deref() == tag;
        let known = self.cut_answers().find(is_known).map(|answer| answer.number);
        if known.is_some() {
            return known;
        }
        self.cut.given += 1;
        let number = self.cut.given;
        let kept = all.keep(CutAnswer { number, text: text.to_owned(), tag: tag.map(str::to_owned), page });
        self.cut.answers.push(kept);
        self.cut.answers.retain(|answer| answer.strong_count() > 0);
        let gone = surplus(
            self.cut.answers.len(),
            self.cut_answers().map(|answer| answer.text.len()),
            limits::SESSION_ANSWERS_BYTES,
        );
        self.cut.answers.drain(..gone);
        Some(number)
    }

    /// The session's answers that are kept, the oldest first.
    pub fn cut_answers(&self) -> impl DoubleEndedIterator<Item = Arc<CutAnswer>> {
        self.cut.answers.iter().filter_map(Weak::upgrade)
    }
}

/// How many of the first of `all` sizes have to go so that the rest is at most so much.
fn surplus(all: usize, sizes: impl DoubleEndedIterator<Item = usize>, most: usize) -> usize {
    let mut left = most;
    let stay = sizes.rev().take_while(|size| {
        let fits = *size <= left;
        left = left.saturating_sub(*size);
        fits
    });
    all - stay.count()
}
