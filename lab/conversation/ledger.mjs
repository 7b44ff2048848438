/** Measures the costs of the same conversation with and without the gateway. */

import { Problem } from "../../scripts/lib/run.mjs";
import { gatewayHost, listed } from "./gateway.mjs";
import { gatewayWay } from "./gateway-way.mjs";
import { nameKey, savedBy, subjectOf } from "./measure.mjs";
import { Meter, together } from "./meter.mjs";
import { playWith, TOOL_RESULT } from "./play.mjs";
import { NO_WAY } from "./way.mjs";
import { definitionsOf, nameOf, WIRES } from "./wire.mjs";

/** The name of the run without the gateway, in which the client has all servers itself. */
export const DIRECT = "direct";

/** The measured variants of the gateway. */
export const VARIANTS = [
  { name: "auto", options: {} },
  { name: "always on", options: { activation: "on" } },
];

/**
 * Runs the conversation with some catalogs, directly and through the gateway in every variant. Returns `{ tools,
 * definitions, written, turns, runs }`. A run has its `variant`, its `format`, `searching` (whether tools are deferred), its
 * `total`, `lost`, `saved` compared with {@link DIRECT}, `does` (the number of requests by kind of the model's answer), and
 * all `requests`. Returns null if no tool can be registered.
 */
export async function ledger(ToolSift, gateway, catalogs, { formats, rates, written }) {
  const subject = subjectOf(ToolSift, catalogs, { formats, written });
  if (subject === null) return null;
  const { tools, definitions, script } = subject;
  const asked = { subject, formats, rates };
  const direct = await runs(DIRECT, { tools: directTools(subject), instructions: "", call: ran }, asked);
  const through = [];
  for (const variant of VARIANTS) through.push(...(await runsThrough(gateway, variant, asked)));
  const saved = ({ format, total }) => savedBy(total.price, direct.find((run) => run.format === format).total.price);
  return { tools, definitions, ...script, runs: [...direct, ...through].map((run) => ({ ...run, saved: saved(run) })) };
}

const ran = () => ({ content: TOOL_RESULT, ran: true });

/** Returns the unchanged tools of every server, with unique names. */
function directTools({ catalogs, names }) {
  return catalogs.flatMap(({ server, tools }) => {
    return tools.flatMap(listed).flatMap((tool) => {
      const name = names.get(nameKey({ server, originalName: tool.name }));
      return name === undefined ? [] : { ...tool, name };
    });
  });
}

/** Runs one variant in every format. The gateway's list of tools must not change during the conversation. */
async function runsThrough(gateway, { name, options }, asked) {
  const played = [];
  for (const format of asked.formats) {
    // Each conversation has a new client, because a repeated search shows further matches.
    const host = await gatewayHost(gateway, asked.subject.catalogs, options);
    try {
      played.push(...(await runs(name, host, { ...asked, formats: [format] })));
      if (JSON.stringify(await host.list()) !== JSON.stringify(host.tools)) {
        throw new Problem(`the gateway (${name}) must list the same tools all the time, but its list has changed`);
      }
    } finally {
      await host.close();
    }
  }
  return played;
}

/** Runs the conversation with one host in every format. */
async function runs(variant, { tools, instructions, call }, { subject: { script, schemas }, formats, rates }) {
  const way = gatewayWay(tools);
  const played = [];
  for (const format of formats) {
    const meter = new Meter(format, rates);
    const sent = WIRES[format].tools(tools);
    const lost = await playWith({
      host: { call, assemble: () => ({ tools: sent, systemPrompt: instructions }) },
      way,
      format,
      turns: script.turns,
      definitions: new Map(definitionsOf(sent).map((one) => [nameOf(one), JSON.stringify(one)])),
      schemas,
      send: (request) => meter.send(request),
    });
    const { rows } = meter;
    const does = { search: 0, load: 0, call: 0, answer: 0 };
    for (const row of rows) does[row.does] += 1;
    played.push({ variant, format, searching: way !== NO_WAY, total: together(rows), lost, does, requests: rows });
  }
  return played;
}
