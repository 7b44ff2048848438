/** Finds definitions that a vendor refuses: one such tool makes a whole request fail. */

import { grouped } from "../../grouped.js";
import { listed, namesOf } from "./text.js";
import type { Check, Examined, Schema, Tool } from "./check.js";
import type { Finding } from "./types.js";

/** Tools that OpenAI and Google take in one request. */
const VENDOR_TOOLS = { OpenAI: 128, Google: 512 };
/** What Anthropic and Bedrock take as the name of a parameter, at the top of a schema. */
const PARAMETER = /^[a-zA-Z0-9_.-]{1,64}$/;
/** Schemas within one schema that are looked at. */
const MOST_NODES = 5_000;

const RENAME = "Rename the tool with letters, digits, _ and -, at most 64 of them.";
const SCHEMA = 'Write parameters as { "type": "object", "properties": { … } }.';

/** What each code of a refused definition means for requests. */
const REFUSED: Record<string, { level: Finding["level"]; who: string; advice: string }> = {
  name_unsafe: { level: "error", who: "OpenAI and Anthropic refuse this name", advice: RENAME },
  name_too_long: { level: "error", who: "OpenAI and Anthropic refuse this name", advice: RENAME },
  name_empty: { level: "error", who: "every vendor refuses it", advice: "Give the tool a name." },
  duplicate_tool: { level: "error", who: "every vendor refuses two tools of one name", advice: "Rename or remove one." },
  schema_invalid: { level: "error", who: "every vendor refuses these parameters", advice: SCHEMA },
  schema_too_large: { level: "error", who: "no model can use it", advice: "Split the tool, or take large values as text." },
  description_too_long: { level: "error", who: "no model can use it", advice: "Say in a few sentences what the tool does." },
  text_invalid: { level: "error", who: "it is not valid Unicode", advice: "Remove the broken character from the text." },
};
/** What to advise for definitions without a code of their own, by what their message says. */
const BY_MESSAGE: [says: RegExp, advice: string][] = [
  [/nests deeper|nested deeper/, "Make the parameters flatter, or take the deep part as one text that holds JSON."],
  [/needs a name/, "Give the tool a name."],
];
const FORM = 'Write each tool as { "name": "…", "description": "…", "inputSchema": { "type": "object", … } }.';

export const vendors: Check = {
  name: "vendors",
  title: "refused by vendors",
  *run({ tools, rejected }: Examined): Iterable<Finding> {
    for (const { server, name, code, message } of rejected) {
      const { level, who, advice } = REFUSED[code] ?? unread(message);
      yield { check: "vendors", level, server, tool: name, message: `${who}: ${message}`, advice };
    }
    yield* repairs(tools);
    yield* parameterNames(tools);
    yield* arrays(tools);
    yield* googleNames(tools);
    yield* tooMany(tools);
  },
};

function unread(message: string): (typeof REFUSED)[string] {
  const advice = BY_MESSAGE.find(([says]) => says.test(message))?.[1] ?? FORM;
  return { level: "error", who: "it cannot be read", advice };
}

/** One finding for each server and each repair: a server's tools are mostly written by one generator. */
function* repairs(tools: readonly Tool[]): Iterable<Finding> {
  for (const group of grouped(tools, ({ server, repair }) => repair && `${server}\n${repair}`).values()) {
    const [{ server, repair }] = group as [Tool];
    const isUntyped = repair!.includes("no type");
    const key = /: (\S+?)(?:;|$)/.exec(repair!)?.[1] ?? "keys";
    const isOther = !isUntyped && !repair!.includes("vendors refuse");
    if (isOther) continue;
    const what = isUntyped ? 'no "type": "object" in the parameters' : `${JSON.stringify(key)} in the parameters`;
    const advice = isUntyped
      ? 'Add "type": "object" to inputSchema; MCP requires it.'
      : `Move what ${JSON.stringify(key)} says into properties and descriptions; at the top of a schema, vendors take neither anyOf nor oneOf nor allOf.`;
    yield about("error", group, `${what}, which OpenAI and Anthropic refuse with the whole request`, advice, server);
  }
}

function* parameterNames(tools: readonly Tool[]): Iterable<Finding> {
  for (const tool of tools) {
    const wrong = Object.keys(Object(tool.inputSchema["properties"])).filter((name) => !PARAMETER.test(name));
    if (wrong.length === 0) continue;
    const which = wrong.length === 1 ? "this parameter" : "these parameters";
    const message = `Anthropic refuses the whole request for ${which}: ${listed(wrong)}`;
    yield about("error", [tool], message, "Rename parameters with letters, digits, _, . and -, at most 64 of them.");
  }
}

function* arrays(tools: readonly Tool[]): Iterable<Finding> {
  const found = tools.flatMap((tool) => {
    const path = bareArray(tool.inputSchema);
    return path === undefined ? [] : [{ tool, path }];
  });
  for (const [server, group] of grouped(
    found.map(({ tool }) => tool),
    (tool) => tool.server,
  )) {
    const paths = found.filter(({ tool }) => tool.server === server).map(({ path }) => path);
    const where = listed([...new Set(paths)]);
    const message = `an array without "items" (${where}), for which OpenAI and Google refuse the whole request`;
    yield about("error", group, message, 'Add "items", such as { "type": "string" }, to each array.', server);
  }
}

/** Where a schema has an array that does not say of what. */
function bareArray(schema: Schema): string | undefined {
  const open: { path: string; node: unknown; isMap: boolean }[] = [{ path: "", node: schema, isMap: false }];
  for (let seen = 0; open.length > 0 && seen < MOST_NODES; seen++) {
    const { path, node, isMap } = open.pop()!;
    if (typeof node !== "object" || node === null) continue;
    const fields = node as Schema;
    const { type } = fields;
    if (!isMap && type === "array" && fields["items"] === undefined && fields["prefixItems"] === undefined) return path;
    for (const [key, value] of Object.entries(fields)) {
      // Examples and defaults are values, not schemas.
      if (!isMap && ["default", "example", "examples", "enum", "const"].includes(key)) continue;
      const isStructure = !isMap && STRUCTURE.has(key);
      const below = isStructure || Array.isArray(node) ? path : join(path, key);
      open.push({ path: below, node: value, isMap: !isMap && MAPS.has(key) });
    }
  }
  return undefined;
}

/** Keys whose values are schemas by name. */
const MAPS = new Set(["properties", "patternProperties", "$defs", "definitions"]);
/** Keys that stand in no path for people. */
const STRUCTURE = new Set([...MAPS, "items", "anyOf", "oneOf", "allOf"]);

function join(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}

function* googleNames(tools: readonly Tool[]): Iterable<Finding> {
  for (const tool of tools.filter(({ googleName }) => googleName !== undefined)) {
    const advice = "Begin the name with a letter or _. toolsift declares the tool to Google under another name.";
    yield about("warning", [tool], "the Gemini API refuses this name", advice);
  }
}

/** Of a single server, its authors can act on it; of all together, the person who uses them. */
function* tooMany(tools: readonly Tool[]): Iterable<Finding> {
  const over = Object.entries(VENDOR_TOOLS).filter(([, most]) => tools.length > most);
  if (over.length === 0) return;
  const who = over.map(([vendor, most]) => `${vendor} takes ${most}`).join(", ");
  const servers = new Set(tools.map(({ server }) => server));
  yield {
    check: "vendors",
    level: "note",
    server: servers.size === 1 ? [...servers][0]! : null,
    tool: null,
    message: `${tools.length} tools in one request are too many: ${who}`,
    advice: "Leave servers out, or hold tools back with toolsift.",
  };
}

function about(level: Finding["level"], tools: readonly Tool[], message: string, advice: string, server?: string): Finding {
  const names = namesOf(tools);
  const one = names.length === 1;
  return {
    check: "vendors",
    level,
    server: server ?? tools[0]!.server,
    tool: one ? names[0]! : null,
    ...(!one && { tools: names }),
    message,
    advice,
  };
}
