/** One run: takes in a change of one server's tools, and asks for the next search. */

import { built } from "./catalog.mjs";
import { timed } from "./fresh.mjs";

const QUERY = "create an issue with labels";

/**
 * `{ change, first, answer }`: milliseconds until the change was in, and for the next search. `by` is `sync`, which
 * changes the catalog, or `rebuild`, which registers every tool again.
 */
export default function once(ToolSift, { catalogs, by }) {
  const sift = built(ToolSift, catalogs);
  // Both ways are compiled, and the catalog has answered a search.
  built(ToolSift, catalogs.slice(0, 1)).search(QUERY);
  const [{ server, tools }, ...others] = catalogs;
  const { before, kept, added } = changesTo(tools);
  sift.sync(server, before);
  sift.search(QUERY);
  // In the order that the tools have after a sync: new tools come last.
  const rebuilt = [{ server, tools: kept }, ...others, { server, tools: [added] }];
  let current = sift;
  const change = timed(() => {
    if (by === "sync") sift.sync(server, [...kept, added]);
    else current = built(ToolSift, rebuilt);
  });
  const first = timed(() => current.search(QUERY));
  return { change: change.ms, first: first.ms, answer: JSON.stringify([first.result, current.tools()]) };
}

/** One tool has another description, one is removed, and one is new. No other server has the names of these two. */
function changesTo([first, ...others]) {
  const probe = (name) => ({ name, description: "A tool for a while.", inputSchema: { type: "object" } });
  const changed = { ...first, description: `${first.description ?? ""} Also drafts.` };
  return { before: [first, ...others, probe("bench_gone")], kept: [changed, ...others], added: probe("bench_new") };
}
