/** What a step of a script comes to under a profile: the calls that its discovery tools ask for. */
import type { SettingsInfo, ToolInfo } from "toolsift";
import { sampleArguments } from "../model/arguments.ts";
import type { JsonRecord } from "../model/json.ts";
import type { Step } from "../model/script.ts";
import { isSent } from "../model/states.ts";
import { namesValue, type Surface, type SurfaceTool } from "../model/surface.ts";

export interface Call {
  tool: string;
  args: JsonRecord;
}

/** A step, or a part of it, that needs no call. */
export interface NoCall {
  why: string;
}

/** The conversation as it stands when the next call is made. */
export interface Standing {
  surface: () => Surface;
  tools: () => readonly ToolInfo[];
  schemaOf: (tool: ToolInfo) => JsonRecord;
  rules: SettingsInfo;
  /** Names of the discovery tools of all profiles. */
  discovery: ReadonlySet<string>;
  /** Whether an answer showed the model the parameters of a tool. */
  shown: (name: string) => boolean;
}

/** One call after the other: each is made before the next one is decided. */
export function* callsFor(step: Exclude<Step, { kind: "say" | "answer" }>, at: Standing): Generator<Call | NoCall> {
  switch (step.kind) {
    case "search":
      yield searchCall(step.query, step.args, at);
      return;
    case "load":
      yield* loadCalls(step.names, at);
      return;
    case "use":
      yield* useCalls(step.name, step.args, at);
      return;
    case "call":
      if (at.discovery.has(step.tool) && !at.surface().tools.some((tool) => tool.name === step.tool)) {
        yield { why: `This profile has no ${step.tool}.` };
      } else {
        yield { tool: step.tool, args: step.args };
      }
  }
}

function searchCall(query: string, extra: JsonRecord | undefined, at: Standing): Call | NoCall {
  const { search } = at.surface();
  if (!search?.query) return { why: "There is nothing to search: every tool is sent in full." };
  return { tool: search.name, args: { [search.query.name]: query, ...known(extra, search) } };
}

/** Arguments of a search under one profile mean nothing to the search of another. */
function known(extra: JsonRecord | undefined, tool: SurfaceTool): JsonRecord {
  const names = new Set(tool.fields.map((field) => field.name));
  return Object.fromEntries(Object.entries(extra ?? {}).filter(([name]) => names.has(name)));
}

function* loadCalls(names: readonly string[], at: Standing): Generator<Call | NoCall> {
  const { load, describe, search } = at.surface();
  const byName = new Map(at.tools().map((tool) => [tool.name, tool]));
  const missing = names.filter((name) => {
    const info = byName.get(name);
    return info === undefined || !isSent(info);
  });
  if (missing.length === 0) {
    yield { why: "Nothing to load: the tool is already sent in full." };
  } else if (load?.names) {
    yield { tool: load.name, args: { [load.names.name]: namesValue(load.names, missing) } };
  } else if (describe?.names) {
    for (const name of missing) yield { tool: describe.name, args: { [describe.names.name]: name } };
  } else if (search?.query) {
    // Where nothing loads by name, the search finds by name.
    const selects = at.rules.search.grammar !== "plain";
    for (const name of missing)
      yield { tool: search.name, args: { [search.query.name]: selects ? `select:${name}` : name } };
  } else {
    yield { why: "Nothing loads tools under this profile." };
  }
}

/** From the name of a tool to its call. */
function* useCalls(name: string, given: JsonRecord | undefined, at: Standing): Generator<Call | NoCall> {
  const stateOf = () => at.tools().find((tool) => tool.name === name);
  const before = stateOf();
  const args = given ?? (before ? sampleArguments(at.schemaOf(before), "…") : {});
  if (before !== undefined && !isSent(before) && before.state !== "hidden" && !at.shown(name)) {
    // Whoever has the arguments needs no description of them; a call through a bridge needs nothing else.
    const { forward } = at.surface();
    if (given === undefined || forward === null) yield* loadCalls([name], at);
  }
  const info = stateOf();
  const { forward } = at.surface();
  if (info !== undefined && !isSent(info) && forward?.names && forward.passed) {
    yield { tool: forward.name, args: { [forward.names.name]: name, [forward.passed.name]: args } };
  } else {
    yield { tool: name, args };
  }
}
