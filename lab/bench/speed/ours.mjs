/**
 * Measures operations that only toolsift has: calls of real tools, assembling a request, a changed server, and many sessions
 * with scopes.
 */

import { randomFrom } from "../../eval/random.mjs";
import { at } from "../../../scripts/lib/paths.mjs";
import { timesOf } from "./timing.mjs";

export const SESSIONS = 10_000;
const SCOPES = 100;
/** The share of all servers in a scope, and the minimum number of servers. */
const SCOPE_SHARE = 0.1;
const SCOPE_LEAST = 3;
/** The number of tools that are called and loaded. */
const CALLED = 50;
const REVEALED = 10;
const CHANGES = 10;
/** The time after which no further change is started, in ms. */
const CHANGING = 3_000;

/** Returns the package with its wasm compiled. The compile time is the same for every use, so it is not measured here. */
export async function packageOf() {
  const imported = await import(at("pkg", "dist", "index.js"));
  void imported.ToolSift.version;
  return imported;
}

/** Returns the limits of a catalog with this number of tools. */
export const limitsFor = (tools) => ({ tools: Math.max(tools, 1_000), sessions: SESSIONS });

/** Returns the key of a tool in the map of names. */
export const keyOf = (server, name) => `${server}\0${name}`;

/**
 * Registers the tools of a server, and returns the number of refused tools. `names` has the keys of a few tools, and gets
 * their names for the model. A map of all names would distort the measured memory.
 */
export function registerAll(sift, { server, tools }, names) {
  const { registered, rejected } = sift.register(tools, { server, names: "alias" });
  const out = new Set(rejected.map(({ index }) => index));
  let taken = 0;
  for (const [index, { name }] of tools.entries()) {
    if (out.has(index)) continue;
    const key = keyOf(server, name);
    if (names.has(key)) names.set(key, registered[taken]);
    taken += 1;
  }
  return rejected.length;
}

/** The measured steps. Each returns its figures by name: times in ms (null if there was no time), and other numbers. */
export const STEPS = {
  /** Calls a loaded tool. */
  async dispatch({ sift, names, sample }) {
    const session = sift.session("dispatch");
    const called = namesOf(sample, names, CALLED);
    session.reveal(called);
    const dispatched = session.call(called[0], {}).kind;
    if (dispatched !== "dispatch") throw new Error(`the call of a revealed tool was ${dispatched}, not dispatched`);
    return { dispatch: await timesOf(called, (name) => session.call(name, {})) };
  },

  /** Assembles one request with some loaded tools. */
  async assemble({ sift, names, sample }) {
    const session = sift.session("assemble");
    session.reveal(namesOf(sample, names, REVEALED));
    return { assemble: await timesOf(Array(CALLED).fill("openai"), (format) => session.assemble({ format })) };
  },

  /** Changes the description of one tool of a server, and measures the change with the next search. */
  async sync({ sift, changing: { server, tools }, queries }) {
    const [first, ...others] = tools;
    const [changed, next] = [[], []];
    const end = performance.now() + CHANGING;
    for (let change = 0; change <= CHANGES && (change < 2 || performance.now() < end); change++) {
      const list = [{ ...first, description: `${first.description ?? ""} Changed ${change} times.` }, ...others];
      const begin = performance.now();
      sift.sync(server, list, { names: "alias" });
      const between = performance.now();
      sift.search(queries["3-words"][change % queries["3-words"].length]);
      // The first change is not counted, because the engine compiles code in it.
      if (change > 0) {
        changed.push(between - begin);
        next.push(performance.now() - between);
      }
    }
    return { sync: changed, "search after sync": next };
  },

  /** Opens sessions that each see a tenth of the servers, and searches in each of them. */
  async sessions({ sift, servers, queries }) {
    const scopes = scopesOf(servers);
    const begin = performance.now();
    const open = Array.from({ length: SESSIONS }, (_, number) =>
      sift.session(`scoped ${number}`, { scope: { servers: scopes[number % scopes.length] } }),
    );
    const opened = performance.now() - begin;
    const asked = queries["3-words"];
    const work = (session, number) => session.call("search_tools", { query: asked[number % asked.length] });
    let number = 0;
    const times = await timesOf(open, (session) => work(session, number++), 1);
    return { "open a session": [opened / SESSIONS], "search in a scope": times, scopes: scopes.length };
  },
};

/** Returns the names of the first tools, as the model sees them. Refused tools have no name and are skipped. */
const namesOf = (sample, names, count) =>
  sample
    .map(({ server, tool }) => names.get(keyOf(server, tool.name)))
    .filter(Boolean)
    .slice(0, count);

/** Returns lists of servers, all different if there are enough servers. */
function scopesOf(servers) {
  const random = randomFrom("scopes");
  const size = Math.min(servers.length, Math.max(SCOPE_LEAST, Math.ceil(SCOPE_SHARE * servers.length)));
  const scopes = new Map();
  for (let tried = 0; scopes.size < SCOPES && tried < 100 * SCOPES; tried++) {
    const chosen = new Set();
    while (chosen.size < size) chosen.add(servers[Math.floor(random() * servers.length)]);
    const scope = [...chosen].sort();
    scopes.set(scope.join("\0"), scope);
  }
  return [...scopes.values()];
}
