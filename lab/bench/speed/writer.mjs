/** Writes names and sentences for one generated server, with general words, words of its subject, and words of its own. */

import { FUNCTION_WORDS, madeUpWord, TOPIC_WORDS, VERBS, zipf } from "./words.mjs";

/** The number of rare words that any text may contain. */
const TAIL = 15_000;
/** The number of words about the subject of a server, which its tools share. */
const SUBJECT = 40;
/** The number of words that only one server has, such as names of products. */
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

/** Returns an inflected form of an English word, by the usual spelling rules. */
const inflected = (word, ending) => (ending === "s" ? word : word.replace(/e$/, "")) + ending;

/** Returns the writer for the server with this number. `random` returns numbers in [0, 1). */
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

  /** Returns sentences of about `length` characters in total. */
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
