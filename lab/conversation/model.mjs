/**
 * A scripted model: it searches for the tools that it needs, loads found tools, calls loaded tools, and then ends its turn.
 */

import { argumentsFor } from "./arguments.mjs";

/** The most searches for one tool. The second search uses its exact name; after it, the model gives up. */
const MOST_SEARCHES = 2;

/** A scripted model. It remembers which definitions it has read in earlier turns. */
export class Model {
  /** The number of needed tools that the model could not call. */
  lost = 0;
  #way;
  #schemas;
  /** For each tool, the answer in which its definition was read. */
  #read = new Map();
  #states = [];
  #miss;

  /** `schemas` are the parameters of every tool by name. */
  constructor(way, schemas) {
    this.#way = way;
    this.#schemas = schemas;
  }

  /** Starts a turn with the user's needs. */
  begin({ needs, miss }) {
    this.#states = needs.map((need) => ({ need, searches: 0, shown: false, loaded: false, called: false }));
    this.#miss = miss;
  }

  /**
   * Returns the answer to a request: `{ does, calls }`. Without calls, it is the last text of the turn. `isSent` tells
   * whether the request contains the whole definition of a tool.
   */
  next(isSent) {
    const way = this.#way;
    const miss = this.#miss;
    this.#miss = undefined;
    const open = this.#states.filter(({ called }) => !called);
    const ready = open.filter(({ need: { name } }) => isSent(name) || this.#read.has(name));
    const missing = open.filter((state) => !ready.includes(state));
    const sought = missing.filter(({ shown, loaded, searches }) => (!shown || loaded) && searches < MOST_SEARCHES);
    const shown = missing.filter((state) => state.shown && !state.loaded);

    const searches = miss === undefined ? [] : way.search([{ words: miss }], false);
    for (const again of [false, true]) {
      const needs = sought.filter((state) => state.searches > 0 === again).map(({ need }) => need);
      if (needs.length > 0) searches.push(...way.search(needs, again));
    }
    for (const state of sought) state.searches += 1;
    if (searches.length > 0) return { does: "search", calls: searches };

    const loads = shown.length > 0 ? way.load(shown.map(({ need }) => need)) : [];
    for (const state of shown) state.loaded = true;
    if (loads.length > 0) return { does: "load", calls: loads };

    for (const state of ready) state.called = true;
    const calls = ready.map(({ need: { name } }) => {
      return way.call(name, argumentsFor(this.#schemas.get(name)), isSent(name) ? undefined : this.#read.get(name));
    });
    if (calls.length > 0) return { does: "call", calls };
    this.lost += missing.length;
    return { does: "answer", calls: [] };
  }

  /** Reads the results of its calls, `{ content, ran }`, in the order of the calls. */
  hear(does, results) {
    if (does === "call") this.lost += results.filter(({ ran }) => !ran).length;
    for (const state of this.#states) {
      const { name } = state.need;
      const { shows = showsName, defines } = this.#way;
      const answer = results.find(({ content }) => shows(content, name))?.content;
      if (answer === undefined) continue;
      if (does === "search") state.shown = true;
      if (defines(does, answer, name)) this.#read.set(name, answer);
    }
  }
}

/** Returns true if an answer names a tool, in a JSON entry or in a line of a list. */
const showsName = (answer, name) => new RegExp(`"name": ?"${name}"|^- ${name}\\(`, "m").test(answer);
