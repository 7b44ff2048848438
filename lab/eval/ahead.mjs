/**
 * Measures what is loaded ahead of the first request, with packs and people's words and without: for the requests of a set,
 * how often all that they need; for messages that no tool serves (quiet.jsonl), how often anything.
 *
 * The messages are ours. `near miss` asks for what another product does, `unserved` for what no tool of an office does; the
 * other kinds need no tool at all. `half` is `choose` or `judge`: constants are to be chosen on the first alone.
 */

import { valuesOf } from "../../scripts/lib/json-lines.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { isAnswered } from "./loading.mjs";
import { mean, needsOf } from "./metrics.mjs";

/** The id of the session. It is closed after each message. */
const SESSION = "one message";
/** The kinds of messages with separate figures. The others are small talk. */
const REQUESTS = ["near miss", "unserved"];

/**
 * Returns a row for the requests of each set, a separate row for requests that no tool serves, and for each catalog a row
 * for each group of messages that need no tool: `{ of, messages, bare, packs }`. `bare` and `packs` are shares of the
 * messages, `{ anything, needed }`.
 *
 * @param packsFor of `toolsift/packs`
 */
export async function measureAhead({ ToolSift, packsFor }, sets) {
  const quiet = valuesOf(at("lab", "eval", "quiet.jsonl"));
  const rows = [];
  for (const { name, tools, queries, unserved, translations, isOwn } of sets) {
    const groups = [
      [name, queries.filter((query) => needsOf(query).length > 0)],
      [`${name}: nothing serves`, unserved.map((query) => ({ query }))],
      ...(isOwn ? [] : quietGroups(quiet).map(([group, messages]) => [`${name}: ${group}`, messages])),
    ].filter(([, messages]) => messages.length > 0);
    const [bare, packs] = [await open(ToolSift, tools), await open(ToolSift, tools, packsFor, translations)];
    for (const [of, messages] of groups) {
      rows.push({ of, messages: messages.length, bare: sharesOf(bare, messages), packs: sharesOf(packs, messages) });
    }
    for (const { sift } of [bare, packs]) sift.dispose();
  }
  return rows;
}

/** Groups the messages: small talk and each kind of request, with separate halves. */
function quietGroups(quiet) {
  const nameOf = ({ kind, half }) => `${REQUESTS.includes(kind) ? kind : "small talk"}, ${half}`;
  const names = [...new Set(quiet.map(nameOf))];
  return names.map((name) => [name, quiet.filter((one) => nameOf(one) === name)]);
}

/**
 * The tools, each server by itself, as packs know them, and skills: `{ sift, names, skills }`, with the names that the sets
 * have by those of the catalog.
 */
export async function open(ToolSift, tools, packsFor, translations, skills = []) {
  const limits = { tools: Math.max(tools.length + skills.length, 1) };
  const sift = new ToolSift({ search: { universe: "all" }, translations, activation: "on", limits });
  for (const server of new Set(tools.map((tool) => tool.server))) {
    const own = tools.filter((tool) => tool.server === server);
    const definitions = own.map(({ name, description, parameters }) => ({
      name: own.every((tool) => tool.name.startsWith(`${server}__`)) ? name.slice(`${server}__`.length) : name,
      description,
      parameters: parameters ?? { type: "object", properties: {} },
    }));
    const enrichment = packsFor ? (await packsFor(definitions)).entries : [];
    sift.register(definitions, { names: "alias", enrichment, ...(server === null ? {} : { server }) });
  }
  const found = sift.register(
    skills.map(({ name, description, kind, text, tools }) => ({ name, description, kind, text, tools })),
    { names: "alias" },
  );
  const left = new Set(found.rejected.map(({ index }) => index));
  const taken = skills.filter((_, index) => !left.has(index)).map(({ name }, index) => [found.registered[index], name]);
  const known = new Set(tools.map(({ name }) => name));
  const nameOf = ({ server, originalName }) => (known.has(originalName) ? originalName : `${server}__${originalName}`);
  const names = new Map([...sift.tools().map((tool) => [tool.name, nameOf(tool)]), ...taken]);
  return { sift, names, skills: new Set(taken.map(([, name]) => name)) };
}

function sharesOf({ sift, names }, messages) {
  const loads = messages.map((message) => {
    const session = sift.session(SESSION);
    try {
      return session.prefetch(message.query).map((name) => names.get(name));
    } finally {
      session.close();
    }
  });
  const isServed = (at) => messages[at].relevant !== undefined && isAnswered(loads[at], needsOf(messages[at]));
  return {
    anything: mean(loads.map((names) => (names.length > 0 ? 1 : 0))),
    needed: mean(messages.map((_, at) => (isServed(at) ? 1 : 0))),
  };
}
