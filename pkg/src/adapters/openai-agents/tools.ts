/** Converts a session's tools to the SDK's function tools. The session decides each of their calls. */

import { type RunContext, tool, type ToolCallOutputContent } from "@openai/agents";
import { ToolSiftError } from "../../base/errors.js";
import type { Answer, JsonObject, ModelCall } from "../../index.js";
import { textForModel, start } from "../../loop/driver.js";
import { runnerOf } from "../../loop/skills.js";
import { dispatchOf, isBridge } from "../lib/register.js";
import type { AnyFunctionTool } from "./options.js";
import type { ToolList } from "./catalog.js";
import { parameterNames } from "../../loop/own-names.js";
import { Run } from "./turns.js";

/** A tool's definition as a turn sends it. */
export interface Definition {
  name: string;
  description: string;
  inputSchema: JsonObject;
}

type Invoke = AnyFunctionTool["invoke"];
type Details = Parameters<Invoke>[2];
type Output = string | ToolCallOutputContent[];

/** Returns a tool in the form that is sent, with the function that answers its calls. */
export function sentTool(list: ToolList, definition: Definition, isDiscovery: boolean): AnyFunctionTool {
  const { name } = definition;
  const { options } = list.catalog;
  const native = list.catalog.native(name, list.open());
  if (!isDiscovery && native === undefined && options.execute === undefined) throw nobody(name);
  const work: Work = (runContext, args, details) => answered(list, runContext, { id: idOf(details), name, args }, details);
  return isDiscovery || native === undefined ? makeTool(list, definition, work) : passing(native, definition, work);
}

type Work = (runContext: RunContext<any>, args: unknown, details: Details) => Promise<unknown>;

/** Returns a tool of the SDK with the session's description and schema, whose calls go through the session. */
function passing(native: AnyFunctionTool, { description, inputSchema }: Definition, work: Work): AnyFunctionTool {
  const parameters = inputSchema as AnyFunctionTool["parameters"];
  // A stub has a schema that vendors refuse as a strict schema.
  const strict = native.strict && JSON.stringify(parameters) === JSON.stringify(native.parameters);
  const invoke: Invoke = (runContext, input, details) => work(runContext, input, details);
  return { ...native, description, parameters, strict, deferLoading: false, invoke };
}

function makeTool(list: ToolList, { name, description, inputSchema }: Definition, work: Work): AnyFunctionTool {
  const approval = approvalOf(list, name, inputSchema);
  const one = tool({
    name,
    description,
    parameters: inputSchema as any,
    strict: false,
    execute: (input, runContext, details) => work(runContext!, input, details),
    ...(approval === undefined ? {} : { needsApproval: approval }),
  });
  // The SDK would replace a hyphen in the name by an underscore.
  return { ...one, name } as AnyFunctionTool;
}

async function answered(list: ToolList, runContext: RunContext<any>, call: ModelCall, details: Details): Promise<unknown> {
  const run = Run.of(runContext, list);
  const outcome = run.decide(call, await run.driver.rank(call, details?.signal));
  if (outcome.kind !== "dispatch") return textForModel(outcome);
  const { options } = list.catalog;
  const native = list.catalog.native(outcome.modelName, run.driver.session);
  if (native === undefined) {
    const execute = runnerOf(run.driver.session, outcome, options.execute);
    if (execute === undefined) throw nobody(outcome.modelName);
    const dispatch = { ...outcome, id: call.id, signal: details?.signal };
    return outputOf(await run.driver.run(call, dispatch, execute), options.images ?? false);
  }
  const clock = start();
  const isOther = outcome.modelName !== call.name || parameterNames(run.driver.session, call.name) !== undefined;
  const input = isOther ? JSON.stringify(outcome.arguments) : String(call.args);
  const result: unknown = await native.invoke(runContext, input, details);
  const { text: content, isError } = run.driver.session.answerText(result);
  run.driver.dispatched(call, outcome, clock, { content, isError });
  if (hasParts(result)) return result;
  const read = run.driver.bounded(content);
  return read === content ? result : read;
}

/** Checks if a result is content in the SDK's form: texts, images and files, which are sent unchanged. */
function hasParts(result: unknown): boolean {
  return [result].flat().some((part) => /^(input_)?(text|image|file)$/.test(String(Object(part)["type"])));
}

function outputOf({ content, parts }: Answer, images: boolean): Output {
  if (parts === undefined || !images) return content;
  return parts.map(({ text, image }) =>
    image === undefined ? { type: "text", text } : { type: "image", image: `data:${image.mimeType};base64,${image.data}` },
  );
}

type Approval = (runContext: RunContext<any>, input: unknown, callId?: string) => Promise<boolean>;

/** Returns the function that checks if a call needs approval: the SDK tool's own check, or your program's. */
function approvalOf({ catalog, open }: ToolList, name: string, schema: JsonObject): Approval | undefined {
  const { natives, options } = catalog;
  const tool = open().named([name]).get(name);
  const calls = tool === undefined && isBridge(schema);
  if (tool === undefined && !calls) return undefined;
  const { needsApproval } = options;
  if (needsApproval === undefined && !(calls && natives.size > 0)) return undefined;
  return async (runContext, input, callId) => {
    // Only the session knows the tool that is called through a bridge. It decides again when the call runs.
    const outcome = tool === undefined ? open().forwarded(name, input) : dispatchOf(open(), name, input, callId);
    if (outcome === undefined) return false;
    const native = catalog.native(outcome.modelName, open());
    if (native !== undefined) return native.needsApproval(runContext, outcome.arguments as never, callId);
    return needsApproval?.({ ...outcome, id: callId }, runContext) ?? false;
  };
}

function idOf(details: Details): string | undefined {
  return details?.toolCall?.callId;
}

/** Returns the error for a tool of your program that nothing runs. */
function nobody(name: string): ToolSiftError {
  const ways = "give options.execute, or a function tool of this name in options.tools";
  return new ToolSiftError("option_invalid", `nothing runs ${name}: ${ways}`);
}
