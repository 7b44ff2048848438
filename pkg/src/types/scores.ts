/** Scores of tools that your program adds to the core's. */

/**
 * The fit of tools to a search, by the names that the model sees: from 0 (no fit) to 1 (best fit). The core adds a share of
 * it to its own score, so that a tool can be found without a common word. The core's confidence depends on words alone.
 */
export type Scores = Readonly<Record<string, number>>;
