/** What do tools cost in a prompt? Sent in full, held back, and with some of them revealed. */

/** Revealed in each measurement: about what a task needs. */
export const REVEALS = 5;

/**
 * What some catalogs cost together under one profile, in tokens: `full`, the `first` request, and `later`, after the
 * reveals; `kept` is the share of the request before that a reveal left unchanged, at worst.
 */
export function measure(ToolSift, profile, catalogs) {
  const sift = new ToolSift({ profile });
  try {
    for (const { server, tools } of catalogs) sift.register(tools, { server, names: "alias" });
    const session = sift.session();
    const first = session.assemble({ format: "openai" }).size;
    let last = first;
    let kept = 1;
    for (const name of spread(sift.tools(), REVEALS)) {
      session.reveal([name]);
      last = session.assemble({ format: "openai" }).size;
      kept = Math.min(kept, last.prefix.share);
    }
    const { tools, tokens, bytes } = first.full;
    return { tools, bytes, full: tokens, first: first.request.tokens, later: last.request.tokens, kept };
  } finally {
    sift.dispose();
  }
}

/** So many deferred tools from all over the catalog. */
function spread(tools, count) {
  const deferred = tools.filter(({ state }) => state === "deferred");
  const picked = Array.from({ length: count }, (_, i) => deferred[Math.floor(((i + 0.5) * deferred.length) / count)]);
  return [...new Set(picked.filter(Boolean).map(({ name }) => name))];
}

