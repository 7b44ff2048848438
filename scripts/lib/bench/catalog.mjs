/** What is measured with? The tools of a folder, as many as are wanted, or tools that are made up. */

import { readCatalogs } from "../catalogs.mjs";
import { randomFrom } from "../eval/random.mjs";

/**
 * Catalogs `{ server, tools }` of exactly so many tools: those of a folder, where there are too few once more under other
 * names of servers, or made-up ones.
 */
export function catalogsOf(folder, count) {
  const catalogs = folder === undefined ? madeUp() : readCatalogs(folder);
  const chosen = [];
  let left = count;
  for (let round = 1; left > 0; round++) {
    for (const { server, tools } of catalogs) {
      if (left === 0) break;
      const some = tools.slice(0, left);
      chosen.push({ server: round === 1 ? server : `${server}-${round}`, tools: some });
      left -= some.length;
    }
  }
  return chosen;
}

/** A `ToolSift` with these tools, in this order. */
export function built(ToolSift, catalogs) {
  const sift = new ToolSift();
  for (const { server, tools } of catalogs) sift.register(tools, { server });
  return sift;
}

const VERBS = ["create", "list", "get", "update", "delete", "search", "send", "export", "archive", "assign"];
const THINGS = ["issue", "invoice", "message", "calendar", "contact", "report", "file", "order", "ticket", "campaign"];
const WORDS =
  "workspace member record status owner label date range filter page cursor comment field value default optional " +
  "unique identifier returned result account project team channel permission draft version history attachment text";

/** Ten servers of a hundred tools each, with about as much to read as public ones have. */
function madeUp() {
  const random = randomFrom("bench");
  const words = WORDS.split(" ");
  const pick = (list) => list[Math.floor(random() * list.length)];
  const sentence = (length) => `${Array.from({ length }, () => pick(words)).join(" ")}.`;
  const property = () => [
    `${pick(words)}_${pick(words)}`,
    { type: pick(["string", "integer", "boolean"]), description: sentence(12) },
  ];
  const tool = (verb, thing, server) => ({
    name: `${verb}_${thing}`,
    description: `${verb} ${thing} in ${server}. ${sentence(40)}`,
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(Array.from({ length: 8 }, property)),
      required: [],
      additionalProperties: false,
    },
  });
  return Array.from({ length: 10 }, (_, at) => {
    const server = `${pick(words)}-${at}`;
    return { server, tools: VERBS.flatMap((verb) => THINGS.map((thing) => tool(verb, thing, server))) };
  });
}
