/** Lists what can be done next with a tool that an answer named, as far as the settings and the discovery tools allow it. */
import type { SettingsInfo, ToolInfo } from "toolsift";
import { sampleArguments } from "./arguments.ts";
import { pretty, type JsonRecord } from "./json.ts";
import type { Row } from "./rows.ts";
import { isSent } from "./states.ts";
import { namesValue, type Surface } from "./surface.ts";

/** A call as far as it is written. */
export interface Draft {
  /** The discovery tool that it goes through, or null for a direct call. */
  via: string | null;
  tool: string;
  args: string;
}

export type Step =
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

export function stepsFor(row: Row, info: ToolInfo | null, { surface, rules, schema }: Standing): Step[] {
  if (!info || info.state === "hidden") return [];
  const steps: Step[] = [];
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

/** The same as the call that the model would make. */
export function callOf(draft: Draft, args: JsonRecord, surface: Surface): { tool: string; args: JsonRecord } {
  const { forward } = surface;
  if (draft.via === null || !forward?.names || !forward.passed) return { tool: draft.tool, args };
  return { tool: forward.name, args: { [forward.names.name]: draft.tool, [forward.passed.name]: args } };
}

function mayCall(info: ToolInfo, { forward }: Surface, { unrevealedCall }: SettingsInfo): boolean {
  return isSent(info) || forward !== null || unrevealedCall === "allow" || unrevealedCall === "run";
}
