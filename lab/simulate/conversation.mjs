/** Counts the cost of a conversation: every request sends everything again, and a cache keeps the unchanged beginning. */

/** The default assumptions about a conversation. */
export const DEFAULTS = {
  /** The model requests of a conversation in which all tools are sent from the start. */
  turns: 6,
  /** The number of the request that calls the needed tools. */
  at: 2,
  /** The tokens at the start, with the program's own prompt. */
  history: 2_000,
  /** The tokens that a turn adds. */
  growth: 300,
  /** The price of a cached input token, relative to an uncached one. */
  cached: 0.1,
  /** The price of an output token, relative to an uncached input token. */
  output: 5,
  /** The price of one more round trip in the same unit: the value of not waiting. */
  trip: 0,
  /** Whether the definitions are cached from an earlier conversation. */
  warm: false,
  /** Whether loaded definitions are appended at the end of the request, so that everything before them stays cached. */
  append: false,
};

/**
 * The cost of a conversation in which `steps` come before the call that the task needs. A step is one more request: what
 * the model writes (`output`), what it gets for that (`answer`), and the definitions that are revealed (`revealed`).
 * `carried` is what discovery adds to the call itself, and `ahead` are definitions that are there before the first of them.
 * Of input tokens, `cached` are an unchanged beginning and `fresh` the others.
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
    // The tools come first in a request. Everything after the earlier tools is then not cached.
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

/** Returns the price in uncached input tokens. */
export const priceOf = ({ fresh, cached, output, trips }, model) =>
  fresh + model.cached * cached + model.output * output + model.trip * trips;

/** Returns the tokens of definitions at which a conversation with all tools sent in full has a given price. */
export function definitionsFor(price, model) {
  const none = { steps: [], carried: 0 };
  const at = (definitions) => priceOf(cost({ definitions, prompt: 0 }, none, model), model);
  const each = at(1) - at(0);
  return each > 0 ? Math.max(0, (price - at(0)) / each) : Infinity;
}
