/** Measures the same conversation directly and through the gateway. */

import { FULL, playersOf, run, savedBy, subjectOf } from "./measure.mjs";
import { gatewayHost } from "./gateway.mjs";
import { gatewayWay } from "./gateway-way.mjs";
import { Meter, together } from "./meter.mjs";
import { playWith } from "./play.mjs";
import { definitionsOf, nameOf, WIRES } from "./wire.mjs";
import { Problem } from "../run.mjs";

/** A client that has all servers itself. */
export const DIRECT = "direct";

/** What is measured of the gateway. */
export const VARIANTS = [
  { name: "auto", options: {} },
  { name: "always on", options: { activation: "on" } },
  { name: "one call tool", options: { activation: "on", calls: "one" } },
];

/**
 * The conversation about some catalogs, directly and through the gateway in every variant: `{ tools, definitions, written,
 * turns, runs }`. A run has its `variant`, its `format`, its `total`, `lost`, `saved` against {@link DIRECT}, `does` (how
 * many requests the model answered with what), and `requests` one by one; of the gateway also `searching`: whether it holds
 * tools back. null where no tool can be registered.
 */
export async function ledger(ToolSift, gateway, catalogs, { formats, rates, written }) {
  const subject = subjectOf(ToolSift, catalogs, { formats, written });
  if (subject === null) return null;
  const { tools, definitions, script } = subject;
  const player = playersOf(ToolSift).find(({ name }) => name === FULL);
  const direct = formats.map((format) => rowOf(DIRECT, run(ToolSift, subject, player, { format, rates })));
  const runs = [...direct];
  for (const variant of VARIANTS) {
    for (const played of await runsThrough(gateway, subject, variant, { formats, rates })) {
      const { total } = direct.find(({ format }) => format === played.format);
      runs.push({ ...played, saved: savedBy(played.total.price, total.price) });
    }
  }
  return { tools, definitions, ...script, runs };
}

function rowOf(variant, { format, total, lost, requests }) {
  const does = { search: 0, load: 0, call: 0, answer: 0 };
  for (const request of requests) does[request.does] += 1;
  return { variant, format, total, lost, saved: 0, does, requests };
}

/** One variant in every format. What the gateway lists must not change on the way. */
async function runsThrough(gateway, { catalogs, script, schemas }, { name, options }, { formats, rates }) {
  const host = await gatewayHost(gateway, catalogs, options);
  try {
    const { tools, instructions } = host;
    const way = gatewayWay(tools);
    const runs = [];
    for (const format of formats) {
      const meter = new Meter(format, rates);
      const sent = WIRES[format].tools(tools);
      const lost = await playWith({
        host: { call: host.call, assemble: () => ({ tools: sent, systemPrompt: instructions }) },
        way,
        format,
        turns: script.turns,
        definitions: new Map(definitionsOf(sent).map((one) => [nameOf(one), JSON.stringify(one)])),
        schemas,
        send: (request) => meter.send(request),
      });
      const { rows } = meter;
      const row = rowOf(name, { format, total: together(rows), lost, requests: rows });
      runs.push({ ...row, searching: tools.some((tool) => tool.name === "search_tools") });
    }
    if (JSON.stringify(await host.list()) !== JSON.stringify(tools)) {
      throw new Problem(`the gateway (${name}) must list the same tools all the time, but its list has changed`);
    }
    return runs;
  } finally {
    await host.close();
  }
}
