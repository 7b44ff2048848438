/** Parts for your program's own graph: a function that builds the model's request, and a node that answers calls. */

import type { BaseMessage } from "@langchain/core/messages";
import { SystemMessage, ToolMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import type { Command } from "@langchain/langgraph";
import { isList, kind } from "../../base/values.js";
import { ToolSiftError } from "../../base/errors.js";
import type { ToolSift } from "../../index.js";
import { answering, isCommand } from "./answers.js";
import type { BoundTool } from "./catalog.js";
import { AgentRuns, withPrompt } from "./agent-runs.js";
import type { LangChainOptions, RunInfo } from "./options.js";
import { lastReply } from "./replies.js";

/** The input of a tool node: messages, a state with messages, or a state and one call, sent by `Send`. */
export type ToolNodeInput = readonly BaseMessage[] | { messages: readonly BaseMessage[]; lg_tool_call?: ToolCall };

type Update = ToolMessage[] | { messages: ToolMessage[] };

/** The output of a tool node: the messages, or one update for each call if a tool returned a `Command`. */
export type ToolNodeOutput = Update | (Command | Update)[];

/** The parts of `siftGraph`. */
export interface SiftGraph {
  /**
   * Returns the next request: the tools to bind to the model, and the messages with the prompt section after the system
   * message.
   *
   * @param config the config that the node received; it contains the thread's id
   */
  request(messages: readonly BaseMessage[], config?: RunInfo): { tools: BoundTool[]; messages: BaseMessage[] };
  /** Answers the calls of the last reply. This node replaces LangGraph's `ToolNode`. */
  toolNode(input: ToolNodeInput, config?: RunInfo): Promise<ToolNodeOutput>;
  /** Returns true if the run must end: in `patience` successive replies, every call was refused. */
  stuck(input: ToolNodeInput): boolean;
}

/**
 * Returns the parts for a `StateGraph` with `messages`. Each thread is a session, `sift.session(thread_id)`.
 *
 * ```ts
 * const { request, toolNode, stuck } = siftGraph(sift, { tools, execute });
 * const graph = new StateGraph(MessagesAnnotation)
 *   .addNode("model", async (state, config) => {
 *     const { tools, messages } = request(state.messages, config);
 *     return { messages: [await model.bindTools(tools).invoke(messages, config)] };
 *   })
 *   .addNode("tools", toolNode)
 *   .addEdge(START, "model")
 *   .addConditionalEdges("model", toolsCondition, ["tools", END])
 *   .addConditionalEdges("tools", (state) => (stuck(state) ? END : "model"), ["model", END]);
 * ```
 *
 * @throws ToolSiftError as `siftMiddleware`
 */
export function siftGraph(sift: ToolSift, options: LangChainOptions = {}): SiftGraph {
  const runs = new AgentRuns<unknown>(sift, options);

  function answer(call: ToolCall, messages: readonly BaseMessage[], state: unknown, config: RunInfo): Promise<unknown> {
    return runs.answers.answer({ call, messages, run: config }, async (tool, toolCall) => {
      // The arguments that LangGraph passes to the tools of its `ToolNode`.
      const { context, store = null, writer = null } = config as { context?: unknown; store?: unknown; writer?: unknown };
      const runtime = { ...config, config, state, toolCallId: toolCall.id ?? "", context, store, writer };
      const output: unknown = await tool.invoke({ ...toolCall, type: "tool_call" } as never, runtime as never);
      if (ToolMessage.isInstance(output) || isCommand(output)) return output;
      return answering(toolCall, { content: sift.answerText(output).text });
    });
  }

  return {
    request(messages, config = {}) {
      const all = listed(messages);
      const { tools, systemPrompt } = runs.assemble({ messages: all, run: config });
      const [first, ...others] = all;
      const own = first !== undefined && SystemMessage.isInstance(first) ? first : undefined;
      const system = withPrompt(own ?? new SystemMessage(""), systemPrompt);
      const rest = own === undefined ? all : others;
      return { tools, messages: system.text === "" ? [...rest] : [system, ...rest] };
    },

    async toolNode(input, config = {}) {
      const messages = messagesOf(input);
      const { lg_tool_call: sent, ...others } = input as { lg_tool_call?: ToolCall };
      const state = Array.isArray(input) ? input : others;
      const calls = sent === undefined ? openCalls(messages) : [sent];
      const outputs = await Promise.all(calls.map((call) => answer(call, messages, state, config)));
      const update = (messages: unknown[]) => (Array.isArray(input) ? messages : { messages }) as Update;
      if (!outputs.some(isCommand)) return update(outputs);
      const here = outputs.filter((one) => !isForParent(one));
      return [...here.map((one) => (isCommand(one) ? (one as Command) : update([one]))), ...forParent(outputs)];
    },

    stuck: (input) => runs.stuck(messagesOf(input)),
  };
}

function isForParent(output: unknown): output is Command {
  return isCommand(output) && (output as Command).graph === "__parent__";
}

/** Joins commands for the parent graph into one, because LangGraph runs only the first command and loses the others. */
function forParent(outputs: readonly unknown[]): Command[] {
  const commands = outputs.filter(isForParent);
  const [first] = commands;
  if (first === undefined || commands.length === 1) return commands;
  const goto = commands.flatMap((one) => one.goto ?? []) as Command["goto"];
  const updates = commands.flatMap(({ update = {} }) => (Array.isArray(update) ? update : Object.entries(update)));
  // The class is your program's own LangGraph, which is not imported here.
  const Merged = first.constructor as new (about: Partial<Command>) => Command;
  return [new Merged({ graph: first.graph, goto, update: updates as Command["update"] } as Partial<Command>)];
}

function messagesOf(input: ToolNodeInput): readonly BaseMessage[] {
  return listed(Array.isArray(input) ? input : (input as { messages?: unknown } | null | undefined)?.messages);
}

function listed(messages: unknown): readonly BaseMessage[] {
  if (!isList(messages)) {
    throw new ToolSiftError("option_invalid", `messages must be a list of LangChain's messages, got ${kind(messages)}`);
  }
  const at = messages.findIndex((one) => typeof (Object(one) as { getType?: unknown }).getType !== "function");
  if (at === -1) return messages as readonly BaseMessage[];
  throw new ToolSiftError("option_invalid", `messages.${at} must be a message of LangChain's, got ${kind(messages[at])}`);
}

function openCalls(messages: readonly BaseMessage[]): ToolCall[] {
  const { reply, since } = lastReply(messages);
  const answered = new Set(since.map((message) => (message as ToolMessage).tool_call_id));
  return (reply?.tool_calls ?? []).filter(({ id }) => id === undefined || !answered.has(id));
}
