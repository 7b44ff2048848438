/** A middleware for agents of LangChain: handles the calls of the model and of its tools. */

import type { ToolMessage } from "@langchain/core/messages";
import { AIMessage } from "@langchain/core/messages";
import type { ClientTool } from "@langchain/core/tools";
import type { Command } from "@langchain/langgraph";
import type { AgentMiddleware } from "langchain";
import { ToolSiftError } from "../../base/errors.js";
import type { ToolSift } from "../../index.js";
import type { Catalog } from "./catalog.js";
import { AgentRuns, withPrompt } from "./agent-runs.js";
import type { LangChainOptions } from "./options.js";

/** The result of `siftMiddleware`. */
export type SiftMiddleware = AgentMiddleware<undefined, undefined, unknown, readonly ClientTool[], readonly []>;

type WrapModelCall = NonNullable<SiftMiddleware["wrapModelCall"]>;
type WrapToolCall = NonNullable<SiftMiddleware["wrapToolCall"]>;

/** The key by which LangChain recognises middlewares. */
const BRAND = Symbol.for("AgentMiddleware");

/** The name prefix of calls from which LangChain takes a structured response. No tool runs for them. */
const STRUCTURED = "extract-";

/**
 * Returns a middleware for `createAgent`: the model gets the discovery tools and the tools that were loaded with them. Each
 * thread is a session, `sift.session(thread_id)`.
 *
 * ```ts
 * const agent = createAgent({ model: "openai:gpt-5.4", middleware: [siftMiddleware(sift, { tools, execute })] });
 * ```
 *
 * @param sift the catalog. The tools in `tools` that it lacks are registered in it.
 * @throws ToolSiftError `option_invalid`, `option_unknown`, `limit_out_of_range`, and the errors of a broken tool
 */
export function siftMiddleware(sift: ToolSift, options: LangChainOptions = {}): SiftMiddleware {
  const runs = new AgentRuns<ToolMessage | Command>(sift, options);

  const wrapModelCall: WrapModelCall = async (request, handler) => {
    const { messages } = request.state;
    if (runs.stuck(messages)) return runs.stopped;
    const others = runs.catalog.others(request.tools);
    const { tools, systemPrompt } = runs.assemble({ messages, run: request.runtime }, request.tools, request.model);
    refuseClash(others, tools);
    const systemMessage = withPrompt(request.systemMessage, systemPrompt);
    const reply = await handler({ ...request, tools: [...others, ...tools] as typeof request.tools, systemMessage });
    return mended(reply, others);
  };

  const wrapToolCall: WrapToolCall = (request, handler) => {
    const { toolCall: call, runtime: run, state, tool } = request;
    if (tool !== undefined && !runs.catalog.owns(call.name)) return handler(request);
    const invoke = (tool: ClientTool, toolCall: typeof call) => handler({ ...request, tool, toolCall });
    return runs.answers.answer({ call, messages: state.messages, run, tool: tool as ClientTool | undefined }, invoke);
  };

  const { tools } = runs.catalog;
  return { [BRAND]: true, name: "ToolSift", tools, wrapModelCall, wrapToolCall } as unknown as SiftMiddleware;
}

function refuseClash(others: ReturnType<Catalog["others"]>, tools: readonly { name: string }[]): void {
  const names = new Set(tools.map(({ name }) => name));
  const clash = others.find(({ name }) => typeof name === "string" && names.has(name));
  if (clash === undefined) return;
  const tool = `the agent's tool ${JSON.stringify(clash["name"])}`;
  throw new ToolSiftError("name_reserved", `${tool} has the name of a discovery tool; give it another one`);
}

/**
 * Converts a reply's calls with invalid JSON arguments to ordinary calls, so that they are answered with an error. LangChain
 * keeps them apart, and would end the run without an answer to them.
 */
function mended<R>(reply: R, others: ReturnType<Catalog["others"]>): R {
  if (!AIMessage.isInstance(reply)) return reply;
  const names = new Set(others.map(({ name }) => name));
  const broken = (reply.invalid_tool_calls ?? []).flatMap(({ id, name }) =>
    id === undefined || name === undefined || names.has(name) || name.startsWith(STRUCTURED)
      ? []
      : [{ type: "tool_call" as const, id, name, args: {} }],
  );
  if (broken.length > 0) reply.tool_calls = [...(reply.tool_calls ?? []), ...broken];
  return reply;
}
