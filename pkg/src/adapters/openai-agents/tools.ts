/** Makes the SDK's function tools out of what a session sends: each hands its calls to the session first. */

import { type RunContext, tool, type ToolCallOutputContent } from "@openai/agents";
import { ToolSiftError } from "../../base/errors.js";
import type { Answer, Dispatch, JsonObject, ModelCall, Session, ToolInfo } from "../../index.js";
import { answerText, start } from "../../loop/driver.js";
import { runnerOf } from "../../loop/skills.js";
import { saysError, textOf, partsWithImages } from "../../wire/answer-text.js";
import { isBridge } from "../lib/register.js";
import type { AnyFunctionTool } from "./options.js";
import type { ToolList } from "./catalog.js";
import { parameterNames, withOwnNames } from "../../loop/own-names.js";
import { Run } from "./turns.js";

/** The form in which a turn sends one tool. */
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
  const { options } = list.catalog;
  const native = list.catalog.native(name, list.open());
  if (!isDiscovery && native === undefined && options.execute === undefined) throw nobody(name);
  const work: Work = (runContext, args, details) => answered(list, runContext, { id: idOf(details), name, args }, details);
  return isDiscovery || native === undefined ? makeTool(list, definition, work) : passing(native, definition, work);
}

type Work = (runContext: RunContext<any>, args: unknown, details: Details) => Promise<unknown>;

/** A tool of the SDK's, as it is in everything but that its calls pass through the session, and how it is described. */
function passing(native: AnyFunctionTool, { description, inputSchema }: Definition, work: Work): AnyFunctionTool {
  const parameters = inputSchema as AnyFunctionTool["parameters"];
  // A stub has a schema that vendors refuse as a strict one.
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
  // The SDK would write an underscore for a hyphen.
  return { ...one, name } as AnyFunctionTool;
}

async function answered(list: ToolList, runContext: RunContext<any>, call: ModelCall, details: Details): Promise<unknown> {
  const run = Run.of(runContext, list);
  const outcome = run.decide(call, await run.driver.rank(call, details?.signal));
  if (outcome.kind !== "dispatch") return answerText(outcome);
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
  const content = textOf(result);
  run.driver.dispatched(call, outcome, clock, { content, isError: saysError(result) });
  if (hasParts(result)) return result;
  const read = run.driver.bounded(content);
  return read === content ? result : read;
}

/** Whether a result is content of the SDK: texts, images and files, which are sent as they are. */
function hasParts(result: unknown): boolean {
  return [result].flat().some((part) => /^(input_)?(text|image|file)$/.test(String(Object(part)["type"])));
}

function outputOf(answer: Answer, images: boolean): Output {
  const parts = images ? partsWithImages(answer) : undefined;
  if (parts === undefined) return answer.content;
  return parts.map((part) =>
    typeof part === "string"
      ? { type: "text", text: part }
      : { type: "image", image: `data:${part.mimeType};base64,${part.data}` },
  );
}

type Approval = (runContext: RunContext<any>, input: unknown, callId?: string) => Promise<boolean>;

/** Asks whether a call must be approved: the tool of the SDK that it comes to, or else the host. */
function approvalOf({ catalog, open }: ToolList, name: string, schema: JsonObject): Approval | undefined {
  const { natives, options } = catalog;
  const tool = open().named([name]).get(name);
  const calls = tool === undefined && isBridge(schema);
  if (tool === undefined && !calls) return undefined;
  const { needsApproval } = options;
  if (needsApproval === undefined && !(calls && natives.size > 0)) return undefined;
  return async (runContext, input, callId) => {
    // Only the session knows what a call through a bridge comes to; it is asked again when the call runs.
    const outcome = tool === undefined ? open().forwarded(name, input) : dispatchOf(tool, input, open());
    if (outcome === undefined) return false;
    const native = catalog.native(outcome.modelName, open());
    if (native !== undefined) return native.needsApproval(runContext, outcome.arguments as never, callId);
    return needsApproval?.({ ...outcome, id: callId }, runContext) ?? false;
  };
}

function dispatchOf(tool: ToolInfo, given: unknown, { id }: Session): Dispatch {
  const { name: modelName, originalName: name, server, own } = tool;
  const input = withOwnNames(given, tool.parameterNames);
  const whose = own === true && { session: id };
  return { kind: "dispatch", name, server, ...whose, modelName, arguments: Object(input) as JsonObject };
}

function idOf(details: Details): string | undefined {
  return details?.toolCall?.callId;
}

/** The host has registered a tool and says nowhere how it is run. */
function nobody(name: string): ToolSiftError {
  const ways = "give options.execute, or a function tool of this name in options.tools";
  return new ToolSiftError("option_invalid", `nothing runs ${name}: ${ways}`);
}
