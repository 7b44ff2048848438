/**
 * How snapshots cross from the engine's worker to the page: of thousands of tools only those that changed since the snapshot
 * before. Messages arrive in the order in which they were sent, so both sides hold the same list; where nothing changed, the
 * page has the very same one, and what was made of it stays.
 */
import { transferHandlers } from "comlink";
import type { ToolInfo } from "toolsift";
import { isRecord } from "../model/json.ts";
import type { Snapshot } from "./types.ts";

/** What operations of the engine answer. */
type Answer = Snapshot | { snapshot: Snapshot };

interface Sent {
  /** The answer without its tools. */
  answer: Answer;
  /** All tools, where they are others; or those that changed, by their place. */
  tools: ToolInfo[] | [at: number, tool: ToolInfo][];
  whole: boolean;
}

/** Has snapshots sent so; both sides call it once, before they speak. */
export function sendChangesOnly(): void {
  let held: ToolInfo[] = [];
  transferHandlers.set("snapshot", {
    canHandle: (value): value is Answer => isRecord(value) && isSnapshot(value["snapshot"] ?? value),
    serialize: (answer: Answer) => {
      const { tools } = snapshotIn(answer);
      const whole = tools.length !== held.length || tools.some(({ name }, at) => name !== held[at]?.name);
      const changed = whole ? tools : [...tools.entries()].filter(([at, tool]) => !isAlike(tool, held[at]));
      held = tools;
      const sent: Sent = { answer: withTools(answer, []), tools: changed as Sent["tools"], whole };
      return [sent, []];
    },
    deserialize: ({ answer, tools, whole }: Sent) => {
      if (whole) held = tools as ToolInfo[];
      else if (tools.length > 0) {
        held = [...held];
        for (const [at, tool] of tools as [number, ToolInfo][]) held[at] = tool;
      }
      return withTools(answer, held);
    },
  });
}

function isSnapshot(value: unknown): boolean {
  return isRecord(value) && "edition" in value && "current" in value && "tools" in value;
}

function snapshotIn(answer: Answer): Snapshot {
  return "snapshot" in answer ? answer.snapshot : answer;
}

function withTools(answer: Answer, tools: ToolInfo[]): Answer {
  return "snapshot" in answer ? { ...answer, snapshot: { ...answer.snapshot, tools } } : { ...answer, tools };
}

/** Whether two values of JSON are the same. */
function isAlike(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every((key) => isAlike((one as never)[key], (other as never)[key]));
}
