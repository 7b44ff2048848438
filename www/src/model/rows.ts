/** Lists the tools that an answer names, read from the text that the model gets, whatever profile wrote it. */
import { isRecord, parseJson, type JsonRecord } from "./json.ts";

export interface Row {
  name: string;
  description: string;
  /** The parameters, where the answer carries them. */
  schema: JsonRecord | null;
}

export interface Named {
  /** What was found: the first list of tools; without any, the first list of names. */
  rows: Row[];
  /** What was asked for by name and does not exist. */
  missing: string[];
  /** All there is, where nothing was found. */
  offered: string[];
}

/** Lists that are not what was found. */
const MISSING = "missing";
const OFFERED = "available_tools";

/** A line that names a tool: `- name(parameter, other?): what it does`. */
const TOOL_LINE = /^- ([^(\n]+)\(.*?\)(?:: (.*))?$/gm;

/** A line that names the tools of a server: `server (2): name, name`, and maybe `, and 7 more`. */
const SERVER_LINE = /^.+ \(\d+\): (.+?)(?:, and \d+ more)?$/gm;

export function namedIn(content: string): Named {
  const value = parseJson(content);
  if (value === undefined) return { rows: written(content), missing: [], offered: [] };
  if (!isRecord(value)) return { rows: listed(value) ?? [], missing: [], offered: [] };
  const { [MISSING]: missing, [OFFERED]: offered, ...rest } = value;
  const lists = Object.values(rest).map(listed);
  const rows = lists.find((list) => list !== null && list.length > 0) ?? [];
  return { rows, missing: textsIn(missing), offered: textsIn(offered) };
}

/** The tools of an answer that is written for reading; where they are called through others, on lines of JSON. */
function written(content: string): Row[] {
  const called = content.split("\n").flatMap((line) => (line.startsWith("{") ? (rowOf(parseJson(line)) ?? []) : []));
  if (called.length > 0) return called;
  const row = (name: string, description = ""): Row => ({ name, description, schema: null });
  const tools = [...content.matchAll(TOOL_LINE)].map(([, name = "", description]) => row(name, description));
  if (tools.length > 0) return tools;
  return [...content.matchAll(SERVER_LINE)].flatMap(([, names = ""]) => names.split(", ").map((name) => row(name)));
}

function listed(value: unknown): Row[] | null {
  if (!Array.isArray(value)) return null;
  const rows = value.map(rowOf);
  return rows.every((row) => row !== null) ? rows : null;
}

function rowOf(item: unknown): Row | null {
  if (typeof item === "string") return { name: item, description: "", schema: null };
  if (!isRecord(item) || typeof item["name"] !== "string") return null;
  const { name, description, parameters } = item;
  return {
    name,
    description: typeof description === "string" ? description : "",
    schema: isRecord(parameters) ? parameters : null,
  };
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
