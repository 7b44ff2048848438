/** One run: builds a catalog from its tools or loads it from an index, and asks for a first search. */

import { built } from "./catalog.mjs";
import { timed } from "./fresh.mjs";

const QUERY = "create an issue with labels";

/** `{ ready, first, index, answer }`: milliseconds until the catalog was ready, and for the first search. */
export default function once(ToolSift, { catalogs, index }) {
  warmUp(ToolSift);
  const ready = timed(() => (index === undefined ? built(ToolSift, catalogs) : ToolSift.fromIndex(index)));
  const sift = ready.result;
  const first = timed(() => sift.search(QUERY));
  const answer = JSON.stringify([first.result, sift.search("send mail, list files"), sift.tools()]);
  return { ready: ready.ms, first: first.ms, index: index ?? sift.exportIndex(), answer };
}

/** Runs both ways with one tool, since engines compile a function when it is first called. */
function warmUp(ToolSift) {
  const one = built(ToolSift, [{ server: "one", tools: [{ name: "send_mail", description: "Sends a mail." }] }]);
  one.search(QUERY);
  ToolSift.fromIndex(one.exportIndex()).search(QUERY);
}
