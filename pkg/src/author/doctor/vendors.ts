/** Finds definitions that a vendor refuses. One such tool makes a whole request fail. */

import { grouped } from "../grouped.js";
import { concerned, listed } from "./text.js";
import type { SchemaRule } from "../../types/index.js";
import type { Check, Examined, Found, Tool } from "./check.js";

/** The maximum number of tools that OpenAI and Google accept in one request. */
const VENDOR_TOOLS = { OpenAI: 128, Google: 512 };

const RENAME = "Rename the tool with letters, digits, _ and -, at most 64 of them.";
const SCHEMA = 'Write parameters as { "type": "object", "properties": { … } }.';

/** The meaning of each error code of a refused definition for requests. */
const REFUSED: Record<string, { level: Found["level"]; who: string; advice: string }> = {
  name_unsafe: { level: "error", who: "OpenAI and Anthropic refuse this name", advice: RENAME },
  name_too_long: { level: "error", who: "OpenAI and Anthropic refuse this name", advice: RENAME },
  name_empty: { level: "error", who: "every vendor refuses it", advice: "Give the tool a name." },
  duplicate_tool: { level: "error", who: "every vendor refuses two tools of one name", advice: "Rename or remove one." },
  schema_invalid: { level: "error", who: "every vendor refuses these parameters", advice: SCHEMA },
  schema_too_large: { level: "error", who: "no model can use it", advice: "Split the tool, or take large values as text." },
  description_too_long: { level: "error", who: "no model can use it", advice: "Say in a few sentences what the tool does." },
  text_invalid: { level: "error", who: "it is not valid Unicode", advice: "Remove the broken character from the text." },
};
/** Advice for definitions that no code above covers, by a pattern of the error message. */
const BY_MESSAGE: [says: RegExp, advice: string][] = [
  [/nests deeper|nested deeper/, "Make the parameters flatter, or take the deep part as one text that holds JSON."],
  [/needs a name/, "Give the tool a name."],
];
const FORM = 'Write each tool as { "name": "…", "description": "…", "inputSchema": { "type": "object", … } }.';

export const vendors: Check = {
  name: "vendors",
  title: "refused by vendors",
  *run({ tools, rejected }: Examined): Iterable<Found> {
    for (const { server, name, code, message } of rejected) {
      const { level, who, advice } = REFUSED[code] ?? unread(message);
      yield { level, server, tool: name, message: `${who}: ${message}`, advice };
    }
    yield* repairs(tools);
    yield* googleNames(tools);
    yield* tooMany(tools);
  },
};

function unread(message: string): (typeof REFUSED)[string] {
  const advice = BY_MESSAGE.find(([says]) => says.test(message))?.[1] ?? FORM;
  return { level: "error", who: "it cannot be read", advice };
}

/** The problem that each of the core's rules repairs, and advice. */
const RULES: Record<SchemaRule, { what: string; advice: string }> = {
  type: { what: 'no "type": "object" in the parameters', advice: 'Add "type": "object" to inputSchema; MCP requires it.' },
  keywords: {
    what: "a value that JSON Schema does not allow",
    advice: "Write what the keyword allows in JSON Schema 2020-12.",
  },
  arrays: { what: 'an array without "items"', advice: 'Add "items", such as { "type": "string" }, to each array.' },
  references: { what: "a $ref that leads nowhere", advice: "Put the definition into $defs of the same schema." },
  alternatives: {
    what: "alternatives or conditions at the top of the parameters",
    advice:
      "Move what they say into properties and descriptions; at the top of a schema, vendors take neither anyOf nor oneOf nor allOf.",
  },
  names: {
    what: "the name of a parameter",
    advice: "Rename parameters with letters, digits, _, . and -, at most 64 of them.",
  },
};

/** Reports one finding for each server and rule, because one generator usually writes all tools of a server. */
function* repairs(tools: readonly Tool[]): Iterable<Found> {
  const broken = tools.flatMap((tool) => tool.changes.map((change) => ({ tool, change })));
  for (const group of grouped(broken, ({ tool, change }) => `${tool.server}\n${change.rule}`).values()) {
    const [{ tool, change }] = group as [(typeof broken)[number]];
    const { what, advice } = RULES[change.rule];
    const paths = [...new Set(group.map((one) => one.change.path))].filter((path) => path !== "");
    const where = paths.length === 0 ? "" : ` (${listed(paths)})`;
    const message = `${what}${where}, for which ${change.vendors.join(" and ")} refuse the whole request`;
    yield about("error", [...new Set(group.map((one) => one.tool))], message, advice, tool.server);
  }
}

function* googleNames(tools: readonly Tool[]): Iterable<Found> {
  for (const tool of tools.filter(({ googleName }) => googleName !== undefined)) {
    const advice = "Begin the name with a letter or _. toolsift declares the tool to Google under another name.";
    yield about("warning", [tool], "the Gemini API refuses this name", advice);
  }
}

/** Reports too many tools. For one server its authors can act on it; for several, the person who uses them. */
function* tooMany(tools: readonly Tool[]): Iterable<Found> {
  const over = Object.entries(VENDOR_TOOLS).filter(([, most]) => tools.length > most);
  if (over.length === 0) return;
  const who = over.map(([vendor, most]) => `${vendor} takes ${most}`).join(", ");
  const servers = new Set(tools.map(({ server }) => server));
  yield {
    level: "note",
    server: servers.size === 1 ? [...servers][0]! : null,
    tool: null,
    message: `${tools.length} tools in one request are too many: ${who}`,
    advice: "Leave servers out, or hold tools back with toolsift.",
  };
}

function about(level: Found["level"], tools: readonly Tool[], message: string, advice: string, server?: string): Found {
  return { level, server: server ?? tools[0]!.server, ...concerned(tools), message, advice };
}
