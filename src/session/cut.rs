//! Keeps the long answers of tools of which the model was shown only the beginning, so that it can read on in them.

use std::sync::{Arc, Mutex, Weak};

use crate::limits;
use crate::lock::lock;

use super::Session;

/// A long answer that was cut.
#[derive(Debug)]
pub struct CutAnswer {
    /// Its number among the answers of its session, from 1.
    pub number: usize,
    /// The whole answer.
    pub text: String,
    /// If it is the text of a skill, the opening tag that each part is wrapped in.
    pub tag: Option<String>,
    /// The number of characters that the model reads in one step.
    pub page: usize,
}

/// The cut answers of all sessions, the oldest first. A session refers to its own; the answers of a dropped session are
/// dropped when the next answer is kept.
#[derive(Debug, Default)]
pub struct CutAnswers(Mutex<Vec<Arc<CutAnswer>>>);

/// A session's own cut answers, the oldest first, some of which may be dropped, and how many it has had.
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
    /// Keeps an answer, and drops the oldest ones to make room; `tag` is the opening tag of a skill's text. Returns its
    /// number, or `None` if the answer is longer than the limit.
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

    /// Returns the session's answers that are still kept, the oldest first.
    pub fn cut_answers(&self) -> impl DoubleEndedIterator<Item = Arc<CutAnswer>> {
        self.cut.answers.iter().filter_map(Weak::upgrade)
    }
}

/// Returns how many of the first of `all` sizes must be dropped so that the sum of the rest is at most `most`.
fn surplus(all: usize, sizes: impl DoubleEndedIterator<Item = usize>, most: usize) -> usize {
    let mut left = most;
    let stay = sizes.rev().take_while(|size| {
        let fits = *size <= left;
        left = left.saturating_sub(*size);
        fits
    });
    all - stay.count()
}
