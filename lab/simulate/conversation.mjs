/** Counts the cost of a conversation: every request sends everything again, and a cache keeps the unchanged beginning. */

/** What is assumed of a conversation where nobody says otherwise. */
export const DEFAULTS = {
  /** Model requests of a conversation in which every tool is there from the start. */
  turns: 6,
  /** The one that calls what the task needs. */
  at: 2,
  /** Tokens at the start, the host's own prompt among them. */
  history: 2_000,
  /** Tokens that a turn adds. */
  growth: 300,
  /** Price of an input token that a cache knows, against one that it does not. */
  cached: 0.1,
  /** Price of an output token, against the same. */
  output: 5,
  /** Price of one more round trip in the same unit: what somebody would pay not to wait. */
  trip: 0,
  /** Whether a cache knows the definitions from an earlier conversation. */
  warm: false,
  /** Whether revealed definitions stand at the end, where they leave the rest known to a cache. */
  append: false,
};

/**
 * The cost of a conversation in which `steps` come before the call that the task needs. A step is one more request: what
 * the model writes (`output`), what it gets for that (`answer`), and the definitions that are revealed (`revealed`).
 * `carried` is what discovery adds to the call itself, and `ahead` are definitions that are there before the first of them. Of input tokens, `cached` are an unchanged beginning and `fresh`
 * the others.
 */
export function cost({ definitions, prompt }, { steps, carried, ahead = 0 }, model) {
  const sum = { fresh: 0, cached: 0, output: carried, trips: steps.length };
  const beginning = definitions + prompt;
  let revealed = 0;
  let history = model.history;
  let known = model.warm ? beginning : 0;
  const request = () => {
    const total = beginning + revealed + history;
    sum.cached += known;
    sum.fresh += total - known;
    known = total;
  };
  const reveal = (tokens) => {
    // Tools stand first in a request: behind those that were there already, everything is new to a cache.
    if (tokens > 0 && !model.append) known = Math.min(known, definitions + revealed);
    revealed += tokens;
  };
  for (let turn = 1; turn <= model.turns; turn += 1) {
    if (turn === model.at) {
      reveal(ahead);
      for (const step of steps) {
        request();
        sum.output += step.output;
        history += step.output + step.answer;
        reveal(step.revealed);
      }
    }
    request();
    history += model.growth;
    if (turn === model.at) history += carried;
  }
  return sum;
}

/** What it costs in input tokens that no cache knows. */
export const priceOf = ({ fresh, cached, output, trips }, model) =>
  fresh + model.cached * cached + model.output * output + model.trip * trips;

/** How many tokens of definitions, all sent in full, make a conversation cost a given price. */
export function definitionsFor(price, model) {
  const none = { steps: [], carried: 0 };
  const at = (definitions) => priceOf(cost({ definitions, prompt: 0 }, none, model), model);
  const each = at(1) - at(0);
  return each > 0 ? Math.max(0, (price - at(0)) / each) : Infinity;
}
