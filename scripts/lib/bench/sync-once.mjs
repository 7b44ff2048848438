/** One run: a server says that its tools have changed, and the next search is asked. */

import { built } from "./catalog.mjs";
import { timed } from "./fresh.mjs";

const QUERY = "create an issue with labels";

/**
 * `{ change, first, answer }`: milliseconds until the change was in, and for the search behind it. `by` is `sync`, which
 * tells the catalog that there is, or `rebuild`, which registers everything anew.
 */
export default function once(ToolSift, { catalogs, by }) {
  const sift = built(ToolSift, catalogs);
  // Both ways compiled, and the catalog in use.
  built(ToolSift, catalogs.slice(0, 1)).search(QUERY);
  const [{ server, tools }, ...others] = catalogs;
  const { before, kept, added } = changesTo(tools);
  sift.sync(server, before);
  sift.search(QUERY);
  // In the order in which the tools stand afterwards: what is new comes last.
  const rebuilt = [{ server, tools: kept }, ...others, { server, tools: [added] }];
  let current = sift;
  const change = timed(() => {
    if (by === "sync") sift.sync(server, [...kept, added]);
    else current = built(ToolSift, rebuilt);
  });
  const first = timed(() => current.search(QUERY));
  return { change: change.ms, first: first.ms, answer: JSON.stringify([first.result, current.tools()]) };
}

/** One tool says something else, one is gone, whose name no other server has, and one is new. */
function changesTo([first, ...others]) {
  const probe = (name) => ({ name, description: "A tool for a while.", inputSchema: { type: "object" } });
  const changed = { ...first, description: `${first.description ?? ""} Also drafts.` };
  return { before: [first, ...others, probe("bench_gone")], kept: [changed, ...others], added: probe("bench_new") };
}
