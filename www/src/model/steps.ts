/** Lists what can be done next with a tool that an answer named, as far as the settings and the discovery tools allow it. */
import type { SettingsInfo, ToolInfo } from "toolsift";
import { sampleArguments } from "./arguments.ts";
import { isRecord, pretty, type JsonRecord } from "./json.ts";
import type { Row } from "./rows.ts";
import type { Step } from "./script.ts";
import { isSent } from "./states.ts";
import { namesValue, type Surface } from "./surface.ts";

/** A call as far as it is written. */
export interface Draft {
  /** The discovery tool that it goes through, or null for a direct call. */
  via: string | null;
  tool: string;
  args: string;
}

export type NextStep =
  /** A call that needs nothing more; `done` where it has been made. */
  | { kind: "ask"; label: string; done: boolean; tool: string; args: JsonRecord }
  /** A call of the tool itself, whose arguments are still to be written. */
  | { kind: "call"; label: string; draft: Draft };

interface Standing {
  surface: Surface;
  rules: SettingsInfo;
  /** The tool's parameters, for a first set of arguments. */
  schema: JsonRecord;
}

export function stepsFor(row: Row, info: ToolInfo | null, { surface, rules, schema }: Standing): NextStep[] {
  if (!info || info.state === "hidden") return [];
  const steps: NextStep[] = [];
  const { search, load, describe } = surface;
  const sent = isSent(info);
  const ask = (label: string, done: boolean, tool: string, args: JsonRecord) =>
    steps.push({ kind: "ask", label, done, tool, args });
  if (load?.names) {
    ask(sent ? "Added" : "Add", sent, load.name, { [load.names.name]: namesValue(load.names, [info.name]) });
  } else if (describe?.names) {
    ask("Describe", false, describe.name, { [describe.names.name]: info.name });
  } else if (search?.query && !sent && row.schema === null) {
    const selects = rules.search.grammar === "commands";
    ask(selects ? "Select" : "Find", false, search.name, { [search.query.name]: `${selects ? "select:" : ""}${info.name}` });
  }
  const readable = sent || row.schema !== null || surface.forward !== null;
  if (readable && mayCall(info, surface, rules)) {
    steps.push({ kind: "call", label: "Call", draft: draftOf(info, surface, schema) });
  }
  return steps;
}

/** A call of a tool with the smallest arguments, on the way that is open to it. */
export function draftOf(info: ToolInfo, surface: Surface, schema: JsonRecord): Draft {
  const via = isSent(info) ? null : (surface.forward?.name ?? null);
  return { via, tool: info.name, args: pretty(sampleArguments(schema)) };
}

/** A call that somebody makes under this profile, as a step that means the same under any profile. */
export function stepOf(tool: string, args: JsonRecord, surface: Surface, tools: readonly ToolInfo[]): Step {
  const { search, load, describe, forward } = surface;
  if (search?.query && tool === search.name && typeof args[search.query.name] === "string") {
    const { [search.query.name]: query, ...rest } = args;
    return Object.keys(rest).length > 0
      ? { kind: "search", query: query as string, args: rest as JsonRecord }
      : { kind: "search", query: query as string };
  }
  const namesIn = (value: unknown) => (Array.isArray(value) ? value : [value]).filter((name) => typeof name === "string");
  const infoOf = (name: string | undefined) => tools.find((row) => row.name === name);
  const loading = [load, describe].find((row) => row?.names && row.name === tool);
  if (loading?.names) {
    const names = namesIn(args[loading.names.name]);
    const open = names.every((name) => infoOf(name)?.state === "deferred");
    if (names.length > 0 && open) return { kind: "load", names };
  }
  if (forward?.names && forward.passed && tool === forward.name) {
    const name = namesIn(args[forward.names.name])[0];
    const passed = args[forward.passed.name] ?? {};
    if (name !== undefined && infoOf(name)?.state === "deferred" && isRecord(passed))
      return { kind: "use", name, args: passed };
  }
  const info = infoOf(tool);
  if (info && isSent(info)) return { kind: "use", name: tool, args };
  return { kind: "call", tool, args };
}

function mayCall(info: ToolInfo, { forward }: Surface, { unrevealedCall }: SettingsInfo): boolean {
  return isSent(info) || forward !== null || unrevealedCall === "allow" || unrevealedCall === "run";
}
