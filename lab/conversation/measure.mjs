/** Measures the cost of the conversation with several catalogs, under every profile and with all tools sent in full. */

import { MEASURED } from "../lib/prompt-cost.mjs";
import { Problem } from "../../scripts/lib/run.mjs";
import { Meter, together } from "./meter.mjs";
import { play } from "./play.mjs";
import { scriptFor } from "./script.mjs";
import { CONSTANT_WAY, NO_WAY, wayOf } from "./way.mjs";
import { definitionsOf, nameOf } from "./wire.mjs";

/** The name of the run that sends all tools in full. */
export const FULL = "full";

/** The profile whose requests only append to the request before, also with a constant tool list. */
export const APPENDS = "sift";
export const CONSTANT = "constant";

/** Returns everything to play: all tools in full, the profiles, and the default profile with a constant tool list. */
export const playersOf = (ToolSift) => [
  { name: FULL, options: { activation: "off" }, way: NO_WAY },
  ...ToolSift.profiles().map((row) => {
    return { name: row.name, options: { profile: row.name, ...MEASURED }, way: wayOf(row) };
  }),
  { name: CONSTANT, options: { surface: "constant", ...MEASURED }, way: CONSTANT_WAY },
];

/**
 * Runs every conversation with some catalogs. Returns `{ tools, definitions, written, turns, runs }`: the number of tools,
 * the tokens of their definitions, the script, and the runs, each with one `profile` and one `format`. A run has its
 * `total`, `lost` (the number of needed tools that the model could not call), `saved` (a share of the price with all tools
 * sent in full, negative if it costs more), and all `turns` and `requests`. With `written`, the script for the captured
 * servers is played if possible. Returns null if no tool can be registered.
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

/** Returns the share that a price saves of another price; 0 if the other price is 0. */
export const savedBy = (price, other) => (other > 0 ? 1 - price / other : 0);

/** Returns the key of a tool in the map of names that the model sees, from its server and its own name. */
export const nameKey = ({ server, originalName }) => JSON.stringify([server, originalName]);

/** Returns the subject of a conversation: the catalogs, their script, and every full definition in each format. */
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

/** Runs one conversation. Before each turn, `before` is called with the session and the turn's number. */
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

/** Throws if a request of the profile `sift` does not repeat the request before it with only additions at the end. */
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
