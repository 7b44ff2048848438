/** Measures toolsift: `search` as a program calls it, and a model's call of `search_tools` in a session. */

import { keyOf, limitsFor, packageOf, registerAll } from "../ours.mjs";

const { ToolSift } = await packageOf();

/** The searches of one session. After these, a new session begins. */
const SEARCHES_OF_A_SESSION = 5;

export function open({ limit, tools, sample }) {
  const sift = new ToolSift({ limits: limitsFor(tools) });
  const names = new Map(sample.map(({ server, tool }) => [keyOf(server, tool.name), undefined]));
  const selecting = (tools) =>
    `select:${tools
      .map((tool) => names.get(keyOf(...tool)))
      .filter(Boolean)
      .join(",")}`;
  const text = (query) => (typeof query === "string" ? query : selecting(query));
  let calls = 0;
  let session;
  return {
    sift,
    names,
    add: (catalog) => registerAll(sift, catalog, names),
    countOf: ({ hits, content }) => hits?.length ?? (content.match(/^- /gm) ?? []).length,
    searches: {
      toolsift: (query) => sift.search(text(query), { limit }),
      "toolsift call": (query) => {
        if (calls++ % SEARCHES_OF_A_SESSION === 0) session = sift.session(`call ${calls}`);
        return session.call("search_tools", { query: text(query) });
      },
    },
  };
}
