/**
 * Conversations that a real model led: what the user said, and what the model searched for, loaded, called and answered. They
 * are read from the recordings of `npm run trial`, and played as scripts where the catalog has their tools.
 */
import { isRecord, parseJson, type JsonRecord } from "./json.ts";
import { plural } from "./numbers.ts";
import type { Step } from "./script.ts";

export interface Recording {
  title: string;
  steps: Step[];
  /** With which model, when, and among how many tools it was recorded. */
  recorded: string;
}

/** Characters of the user's words that a title has at most. */
const TITLE = 60;

/** Reads a recording: a line of JSON that says what was played, and one for each conversation. */
export function readRecordings(text: string): Recording[] {
  const [head, ...conversations] = text.trim().split("\n").map(parseJson).filter(isRecord);
  const day = new Date(String(head?.["date"])).toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" });
  const [model] = String(head?.["model"]).split(",");
  const recorded = `on ${day} with ${model}, among ${String(head?.["size"])} tools`;
  return conversations.map((conversation) => {
    const said = String(conversation["text"]);
    const replies = recordsIn(conversation["steps"]);
    return {
      title: shortened(said),
      steps: [{ kind: "say", text: said }, ...replies.flatMap(stepsOf)],
      recorded: `Recorded ${recorded}, in ${plural(replies.length, "request")}.`,
    };
  });
}

/** The tools that a conversation calls: it can be played where all of them exist. */
export function toolsOf({ steps }: Recording): string[] {
  return steps.flatMap((step) => (step.kind === "use" ? [step.name] : []));
}

/** Calls that the model made at once follow one another. */
function stepsOf(reply: JsonRecord): Step[] {
  const steps = recordsIn(reply["calls"]).map((call): Step => {
    const name = String(call["name"]);
    const args = isRecord(call["args"]) ? call["args"] : {};
    if (call["is"] === "ran") return { kind: "use", name };
    if (call["is"] === "search") return { kind: "search", query: String(args["query"]) };
    return { kind: "load", names: (args["tool_names"] as string[]) ?? [] };
  });
  return typeof reply["text"] === "string" ? [...steps, { kind: "answer", text: reply["text"] }] : steps;
}

function recordsIn(value: unknown): JsonRecord[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function shortened(text: string): string {
  return text.length <= TITLE ? `“${text}”` : `“${text.slice(0, text.lastIndexOf(" ", TITLE))}…”`;
}
