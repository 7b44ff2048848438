/** Measures the cost of the conversation with several catalogs, under every profile and with all tools sent in full. */

import { MEASURED } from "../lib/prompt-cost.mjs";
import { Problem } from "../../scripts/lib/run.mjs";
import { Meter, together } from "./meter.mjs";
import { play } from "./play.mjs";
import { scriptFor } from "./script.mjs";
import { CONSTANT_WAY, NO_WAY, wayOf } from "./way.mjs";
import { definitionsOf, nameOf } from "./wire.mjs";

/** The name under which everything in full stands beside the profiles. */
export const FULL = "full";

/** The profile that promises to append only, as it is and with a tool list that never changes. */
export const APPENDS = "sift";
export const CONSTANT = "constant";

/** Whatever is played: everything in full, then the profiles, and the default one with a constant surface. */
export const playersOf = (ToolSift) => [
  { name: FULL, options: { activation: "off" }, way: NO_WAY },
  ...ToolSift.profiles().map((row) => {
    return { name: row.name, options: { profile: row.name, ...MEASURED }, way: wayOf(row) };
  }),
  { name: CONSTANT, options: { surface: "constant", ...MEASURED }, way: CONSTANT_WAY },
];

/**
 * Every conversation about some catalogs: `{ tools, definitions, written, turns, runs }`: how many tools there are, the
 * tokens of their definitions, the script, and the runs, each of one `profile` in one `format`. A run has its `total`,
 * `lost` (tools that the model did not get to call), `saved` (the share of the price of everything in full, negative where
 * it costs more), and `turns` and `requests` one by one. With `written` the script written for the captured servers is
 * played where it can be. null where no tool can be registered.
 */
export function converse(ToolSift, catalogs, { formats, rates, written }) {
  const subject = subjectOf(ToolSift, catalogs, { formats, written });
  if (subject === null) return null;
  const { tools, definitions, script } = subject;
  const players = playersOf(ToolSift);
  const runs = formats.flatMap((format) => {
    const played = players.map((player) => run(ToolSift, subject, player, { format, rates }));
    const full = played.find(({ profile }) => profile === FULL);
    return played.map((one) => ({ ...one, saved: savedBy(one.total.price, full.total.price) }));
  });
  return { tools, definitions, ...script, runs };
}

/** The share of another price that a price saves; where nothing costs anything there is nothing to save. */
export const savedBy = (price, other) => (other > 0 ? 1 - price / other : 0);

/** Where the name that a model sees is kept, by server and the server's own name. */
export const nameKey = ({ server, originalName }) => JSON.stringify([server, originalName]);

/** What is talked about: the catalogs, their script, and every definition as it is sent whole in each format. */
export function subjectOf(ToolSift, catalogs, { formats, written }) {
  const sift = open(ToolSift, catalogs, { activation: "off" });
  try {
    const tools = sift.tools();
    if (tools.length === 0) return null;
    const whole = (format) => sift.session("s").assemble({ format });
    const texts = (format) => definitionsOf(whole(format).tools).map((one) => [nameOf(one), JSON.stringify(one)]);
    const listed = whole("mcp");
    return {
      catalogs,
      tools: tools.length,
      definitions: listed.size.full.tokens,
      script: scriptFor(tools, { written }),
      names: new Map(tools.map((tool) => [nameKey(tool), tool.name])),
      schemas: new Map(listed.tools.map(({ name, inputSchema }) => [name, inputSchema])),
      whole: Object.fromEntries(formats.map((format) => [format, new Map(texts(format))])),
    };
  } finally {
    sift.dispose();
  }
}

/** One conversation. `before` is called with the session and the number of the turn before each of them. */
export function run(ToolSift, { catalogs, script, schemas, whole }, { name, options, way }, { format, rates, before }) {
  const sift = open(ToolSift, catalogs, options);
  try {
    const meter = new Meter(format, rates);
    const lost = play({
      session: sift.session("s"),
      way,
      format,
      turns: script.turns,
      definitions: whole[format],
      schemas,
      send: (request) => meter.send(request),
      before,
    });
    const turns = script.turns.map((_, turn) => together(meter.rows.filter((row) => row.turn === turn)));
    return { profile: name, format, total: together(meter.rows), lost, turns, requests: meter.rows };
  } finally {
    sift.dispose();
  }
}

function open(ToolSift, catalogs, options) {
  const sift = new ToolSift({ ...options, limits: { tools: 200_000 } });
  try {
    for (const { server, tools } of catalogs) sift.register(tools, { server, names: "alias" });
    return sift;
  } catch (error) {
    sift.dispose();
    throw error;
  }
}

/** Refuses what breaks the promise that a request of `sift` repeats the one before it and only appends. */
export function checkAppends(conversations) {
  for (const { catalog, runs } of conversations) {
    for (const { profile, format, requests } of runs) {
      const at = [APPENDS, CONSTANT].includes(profile) ? requests.findIndex(({ changed }) => changed.length > 0) : -1;
      if (at < 0) continue;
      const { turn, changed } = requests[at];
      const where = `request ${at + 1} (turn ${turn + 1}) of ${catalog} in ${format}`;
      throw new Problem(`${profile} must append only, but ${where} changes what was sent before: ${changed.join(", ")}`);
    }
  }
}
