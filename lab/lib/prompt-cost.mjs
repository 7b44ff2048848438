/** Measures the cost of tools in a prompt: all sent in full, all deferred, and with some of them loaded. */

/** The number of loaded tools in each measurement, about as many as a task needs. */
export const REVEALS = 5;

/** The calls with which a model gets a tool whose name it knows, by discovery tool, best first. */
const WAYS = [
  ["add_tool", (name) => ({ tool_names: [name] })],
  ["ToolSearch", (name) => ({ query: `select:${name}` })],
  ["tool_describe", (name) => ({ name })],
  ["tool_search", (name) => ({ query: name })],
];

/** The options for measuring: every profile defers tools in its own way. */
export const MEASURED = { activation: "on", deferral: "opt-out", searchesPerMinute: 0 };

/**
 * Returns the tokens of some catalogs together under one profile: `full`; the `first` request; and `later`, the request with
 * five loaded tools and the answers of the discovery tools before it. `kept` is the smallest share of the previous request
 * that a step leaves unchanged.
 */
export function measure(ToolSift, profile, catalogs) {
  const sift = new ToolSift({ profile, ...MEASURED });
  try {
    for (const { server, tools } of catalogs) sift.register(tools, { server, names: "alias" });
    const session = sift.session("s");
    const assemble = () => session.assemble({ format: "openai" }).size;
    const { surface } = ToolSift.profiles().find(({ name }) => name === profile);
    const [way, args] = WAYS.find(([name]) => surface.includes(name));
    const first = assemble();
    let last = first;
    let kept = 1;
    let answers = 0;
    for (const name of spread(sift.tools(), REVEALS)) {
      answers += session.call(way, args(name)).content.length;
      last = assemble();
      kept = Math.min(kept, last.prefix.share);
    }
    const { tools, tokens, bytes } = first.full;
    const later = last.request.tokens + Math.ceil(answers / 4);
    return { tools, bytes, full: tokens, first: first.request.tokens, later, kept };
  } finally {
    sift.dispose();
  }
}

/** Returns `count` deferred tools, spread over the catalog. */
function spread(tools, count) {
  const deferred = tools.filter(({ state }) => state === "deferred");
  const picked = Array.from({ length: count }, (_, i) => deferred[Math.floor(((i + 0.5) * deferred.length) / count)]);
  return [...new Set(picked.filter(Boolean).map(({ name }) => name))];
}
