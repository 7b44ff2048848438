/** Measures the first answer of the gateway's search: whether it contains the right tool, and how long it is. */

import { gatewayHost } from "../conversation/gateway.mjs";
import { gatewayWay } from "../conversation/gateway-way.mjs";
import { tokensOf } from "../simulate/line.mjs";
import { asEntry, byServer } from "../trial/catalog.mjs";
import { mean, needsOf, percentile } from "./metrics.mjs";

/** The server name for tools without a server. */
const NO_SERVER = "tools";

/**
 * Sends every query of a set to a gateway. Returns `{ set, tools, queries, told, named, nothing, tokens: { mean, p95 } }`:
 * `told` is the share of needs whose tool is shown with its parameters, `named` the share of needs whose tool is at least
 * named, and `nothing` the share of answers that name no tool. Queries without a relevant tool are left out.
 */
export async function measureAnswers(ToolSift, gateway, { name, tools, queries }) {
  const catalogs = catalogsOf(tools);
  const shownAs = namesOf(ToolSift, catalogs);
  const host = await gatewayHost(gateway, catalogs, { activation: "on" });
  try {
    const way = gatewayWay(host.tools);
    const rows = [];
    for (const query of queries) {
      const needs = needsOf(query);
      if (needs.length === 0) continue;
      await host.renew();
      const [call] = way.search([{ words: query.query }], false);
      const { content } = await host.call(call);
      const share = (has) => mean(needs.map((group) => (group.some((one) => has(shownAs.get(one))) ? 1 : 0)));
      rows.push({
        told: share((one) => one !== undefined && way.defines("search", content, one)),
        named: share((one) => one !== undefined && way.shows(content, one)),
        nothing: /^No tool matches\./.test(content) ? 1 : 0,
        tokens: tokensOf(content),
      });
    }
    const of = (key) => rows.map((row) => row[key]);
    return {
      set: name,
      tools: tools.length,
      queries: rows.length,
      told: mean(of("told")),
      named: mean(of("named")),
      nothing: mean(of("nothing")),
      tokens: { mean: mean(of("tokens")), p95: percentile(of("tokens"), 0.95) },
    };
  } finally {
    await host.close();
  }
}

/** Returns the tools of a set, grouped by server. The gateway accepts no colon in a server's name. */
const catalogsOf = (tools) =>
  byServer(tools.map(asEntry)).map(({ server, tools }) => ({
    server: (server ?? NO_SERVER).replaceAll(":", ""),
    tools,
  }));

/** Returns the names of tools in the gateway, by their own names. */
function namesOf(ToolSift, catalogs) {
  const sift = new ToolSift({ limits: { tools: 200_000 } });
  try {
    for (const { server, tools } of catalogs) sift.register(tools, { server, names: "alias" });
    return new Map(sift.tools().map(({ originalName, name }) => [originalName, name]));
  } finally {
    sift.dispose();
  }
}
