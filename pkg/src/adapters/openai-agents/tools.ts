/** Makes the SDK's function tools out of what a session sends: each hands its calls to the session first. */

import { type RunContext, tool, type ToolCallOutputContent } from "@openai/agents";
import { ToolSiftError } from "../../errors.js";
import type { Answer, Dispatch, JsonObject, ModelCall } from "../../index.js";
import { saidBy, start } from "../../loop/driver.js";
import { saysError, textOf } from "../../loop/text.js";
import { partsWithImages } from "../lib/images.js";
import type { Kept } from "./kept.js";
import type { AnyFunctionTool } from "./options.js";
import type { ToolList } from "./tool-list.js";
import { Run } from "./turns.js";

/** What a turn sends of one tool. */
export interface Definition {
  name: string;
  description: string;
  inputSchema: JsonObject;
}

type Invoke = AnyFunctionTool["invoke"];
type Details = Parameters<Invoke>[2];
type Output = string | ToolCallOutputContent[];

/** A tool as it is sent, with what answers its calls. */
export function sentTool(list: ToolList, definition: Definition, isDiscovery: boolean): AnyFunctionTool {
  const { name } = definition;
  const { natives, options } = list.kept;
  const native = natives.get(name);
  if (!isDiscovery && native === undefined && options.execute === undefined) throw nobody(name);
  const work: Work = (runContext, args, details) => answered(list, runContext, { id: idOf(details), name, args }, details);
  return isDiscovery || native === undefined ? made(list.kept, definition, work) : passing(native, definition, work);
}

type Work = (runContext: RunContext<any>, args: unknown, details: Details) => Promise<unknown>;

/** A tool of the SDK's, as it is in everything but that its calls pass through the session, and how it is described. */
function passing(native: AnyFunctionTool, { description, inputSchema }: Definition, work: Work): AnyFunctionTool {
  const parameters = inputSchema as AnyFunctionTool["parameters"];
  const invoke: Invoke = (runContext, input, details) => work(runContext, input, details);
  return { ...native, description, parameters, deferLoading: false, invoke };
}

/** A discovery tool, or a tool that the host's `execute` runs. */
function made(kept: Kept, { name, description, inputSchema }: Definition, work: Work): AnyFunctionTool {
  const approval = approvalOf(kept, name, inputSchema);
  const one = tool({
    name,
    description,
    parameters: inputSchema as any,
    strict: false,
    execute: (input, runContext, details) => work(runContext!, input, details),
    ...(approval === undefined ? {} : { needsApproval: approval }),
  });
  // The SDK would write an underscore for a hyphen.
  return { ...one, name } as AnyFunctionTool;
}

/** Answers a call, or runs it. */
async function answered(list: ToolList, runContext: RunContext<any>, call: ModelCall, details: Details): Promise<unknown> {
  const run = Run.of(runContext, list);
  const outcome = run.decide(call);
  if (outcome.kind !== "dispatch") return saidBy(outcome);
  const { natives, options } = list.kept;
  const native = natives.get(outcome.modelName);
  if (native === undefined) {
    if (options.execute === undefined) throw nobody(outcome.modelName);
    const dispatch = { ...outcome, id: call.id, signal: details?.signal };
    return shown(await run.driver.run(call, dispatch, options.execute), options.images ?? false);
  }
  const clock = start();
  const isBridged = outcome.modelName !== call.name;
  const result: unknown = await native.invoke(runContext, isBridged ? JSON.stringify(outcome.arguments) : String(call.args), details);
  run.driver.dispatched(call, outcome, clock, { content: textOf(result), isError: saysError(result) });
  return result;
}

/** An answer as the model reads it. */
function shown(answer: Answer, images: boolean): Output {
  const parts = partsWithImages(answer);
  if (parts === undefined) return answer.content;
  if (!images) return parts.map((part) => (typeof part === "string" ? part : `(${part.mimeType}, not shown)`)).join("\n");
  return parts.map((part) =>
    typeof part === "string"
      ? { type: "text", text: part }
      : { type: "image", image: `data:${part.mimeType};base64,${part.data}` },
  );
}

type Approval = (runContext: RunContext<any>, input: unknown, callId?: string) => Promise<boolean>;

/** Asks whether a call must be approved: the tool of the SDK that it comes to, or else the host. */
function approvalOf({ natives, catalog, options }: Kept, name: string, schema: JsonObject): Approval | undefined {
  const isBridge = !catalog.has(name);
  if (isBridge && !("arguments" in (Object(schema["properties"]) as object))) return undefined;
  const { needsApproval } = options;
  if (needsApproval === undefined && !(isBridge && natives.size > 0)) return undefined;
  return async (runContext, input, callId) => {
    const { name: named, arguments: within } = Object(input) as { name?: unknown; arguments?: unknown };
    const modelName = isBridge ? String(named) : name;
    const args = isBridge ? within : input;
    const native = natives.get(modelName);
    if (native !== undefined) return native.needsApproval(runContext, args as never, callId);
    const tool = catalog.get(modelName);
    if (tool === undefined || needsApproval === undefined) return false;
    const { originalName, server } = tool;
    const about = { name: originalName, server, modelName, arguments: Object(args) as JsonObject };
    return needsApproval({ kind: "dispatch", ...about, id: callId } satisfies Dispatch, runContext);
  };
}

function idOf(details: Details): string | undefined {
  return details?.toolCall?.callId;
}

/** The host has registered a tool and says nowhere how it is run. */
function nobody(name: string): ToolSiftError {
  const ways = "give options.execute, or a function tool of this name in options.tools";
  return new ToolSiftError("option_invalid", `nothing runs ${name}: ${ways}`);
}
