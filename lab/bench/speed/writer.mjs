/** Writes names and sentences for one generated server, with general words, words of its subject, and words of its own. */

import { FUNCTION_WORDS, madeUpWord, TOPIC_WORDS, VERBS, zipf } from "./words.mjs";

/** Words that any text may hold: those about tools, then as many that few texts have. */
const TAIL = 15_000;
/** Words of the subject of a server, which its tools share. */
const SUBJECT = 40;
/** Words that only one server has: the names of its product and of its parts. */
const JARGON = 6;

/** Shares of the words of a sentence. */
const FUNCTION_SHARE = 0.42;
const SUBJECT_SHARE = 0.3;
const JARGON_SHARE = 0.03;
const VERB_SHARE = 0.07;
const ENDINGS = ["s", "s", "ing", "ed"];
const ENDING_SHARE = 0.15;

const functionRank = zipf(FUNCTION_WORDS.length);
const verbRank = zipf(VERBS.length, 0.9);
const topicRank = zipf(TOPIC_WORDS.length, 0.5);
const generalRank = zipf(TOPIC_WORDS.length + TAIL, 1.12);
const subjectRank = zipf(SUBJECT, 0.8);

/** A form of a word, as English mostly writes it. */
const inflected = (word, ending) => (ending === "s" ? word : word.replace(/e$/, "")) + ending;

/** The writer of the server of this number; `random` answers numbers from 0 to below 1. */
export function writerOf(number, random) {
  const subject = Array.from({ length: SUBJECT }, () => TOPIC_WORDS[topicRank(random())]);
  const jargon = Array.from({ length: JARGON }, (_, at) => madeUpWord(TOPIC_WORDS.length + TAIL + number * JARGON + at));
  const any = (words) => words[Math.floor(random() * words.length)];
  const noun = () => subject[subjectRank(random())];
  const verb = () => VERBS[verbRank(random())];

  const withEnding = (content) => (random() < ENDING_SHARE ? inflected(content, any(ENDINGS)) : content);

  function word() {
    let share = random();
    if ((share -= FUNCTION_SHARE) < 0) return FUNCTION_WORDS[functionRank(random())];
    if ((share -= JARGON_SHARE) < 0) return any(jargon);
    if ((share -= VERB_SHARE) < 0) return verb();
    if (share - SUBJECT_SHARE < 0) return withEnding(noun());
    const rank = generalRank(random());
    return rank < TOPIC_WORDS.length ? withEnding(TOPIC_WORDS[rank]) : madeUpWord(rank);
  }

  /** Sentences of about so many characters in all. */
  function text(length) {
    let written = "";
    let left = 0;
    while (written.length < length || written === "") {
      const next = word();
      if (left === 0) {
        left = 6 + Math.floor(random() * 14);
        written += `${written === "" ? "" : ". "}${next[0].toUpperCase()}${next.slice(1)}`;
      } else {
        written += ` ${next}`;
      }
      left -= 1;
    }
    return `${written}.`;
  }

  return { random, any, noun, verb, text, product: jargon[0] };
}
