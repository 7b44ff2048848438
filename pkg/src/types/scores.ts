/** What a host says of tools beside the core. */

/**
 * How well tools fit a search, by the names that the model sees: from 0 (not at all) to 1 (as well as any). The core adds a
 * share of it to its own score, so that a tool without a word in common may be found; its confidence rests on words alone.
 */
export type Scores = Readonly<Record<string, number>>;
