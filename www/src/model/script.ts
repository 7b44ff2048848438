/**
 * A conversation as a script: what the user says and what the model wants, without the words of a profile. The core plays
 * it under any profile, so it can be kept across a change of profile, undone, replayed, compared, and shared in the address.
 */
import { isRecord, parseJson, type JsonRecord } from "./json.ts";

export type Step =
  /** The user speaks. The model answers what was asked before, without a tool. */
  | { kind: "say"; text: string }
  /** The model answers the user, without a tool. The words are known where a real model wrote them. */
  | { kind: "answer"; text?: string }
  /** The model searches for tools, with the search tool of the profile. */
  | { kind: "search"; query: string; args?: JsonRecord }
  /** The model loads or describes tools by name, as far as the profile has a way for it. */
  | { kind: "load"; names: string[] }
  /** The model uses a tool: it loads it first if it has to, and calls it in the way that the profile has. */
  | { kind: "use"; name: string; args?: JsonRecord }
  /** A call to the letter, also a wrong one. */
  | { kind: "call"; tool: string; args: JsonRecord };

/** Steps past these are refused: a script is a conversation, not a load test. */
export const MAX_STEPS = 200;

/** Characters of a script in the address. Longer ones stay out of it. */
export const MAX_WRITTEN = 4_000;

/** The script as one line of text for the address: a JSON array of short arrays. */
export function writeScript(steps: readonly Step[]): string {
  return JSON.stringify(steps.map(shortened));
}

/** Null where the text is no script. */
export function readScript(text: string): Step[] | null {
  const value = parseJson(text);
  if (!Array.isArray(value) || value.length > MAX_STEPS) return null;
  const steps = value.map(stepIn);
  return steps.every((step) => step !== null) ? steps : null;
}

function shortened(step: Step): unknown[] {
  switch (step.kind) {
    case "say":
      return ["say", step.text];
    case "answer":
      return step.text === undefined ? ["answer"] : ["answer", step.text];
    case "search":
      return step.args ? ["search", step.query, step.args] : ["search", step.query];
    case "load":
      return ["load", ...step.names];
    case "use":
      return step.args ? ["use", step.name, step.args] : ["use", step.name];
    case "call":
      return ["call", step.tool, step.args];
  }
}

function stepIn(value: unknown): Step | null {
  if (!Array.isArray(value)) return null;
  const [kind, text, args] = value as unknown[];
  if (kind === "answer" && value.length === 1) return { kind };
  if (typeof text !== "string" || (args !== undefined && kind !== "load" && !isRecord(args))) return null;
  const extra = isRecord(args) ? { args } : {};
  switch (kind) {
    case "say":
    case "answer":
      return { kind, text };
    case "search":
      return { kind, query: text, ...extra };
    case "load": {
      const names = value.slice(1) as unknown[];
      return names.every((name) => typeof name === "string") ? { kind, names: names as string[] } : null;
    }
    case "use":
      return { kind, name: text, ...extra };
    case "call":
      return { kind, tool: text, args: isRecord(args) ? args : {} };
    default:
      return null;
  }
}
