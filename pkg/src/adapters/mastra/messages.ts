/** Reads past calls from Mastra's messages, and writes the answers that Mastra cannot give. */

import type { MessageList } from "@mastra/core/agent/message-list";
import type { ModelCall, Session } from "../../index.js";
import { searchAhead } from "../../loop/ahead.js";
import { answerText } from "../../loop/driver.js";
import { rebuilt } from "../../loop/rounds.js";
import type { AheadOptions } from "../../loop/types.js";
import { isNew } from "../lib/catalog.js";
import type { Decided } from "./run.js";

type Message = ReturnType<MessageList["get"]["all"]["db"]>[number];
type Part = Extract<Message["content"]["parts"][number], { type: "tool-invocation" }>;
type Invocation = Part["toolInvocation"];
type Names = ReadonlySet<string>;

interface Chunk {
  type: string;
  payload: unknown;
}

/** The calls of a reply, out of the chunks that it came in. Those that the vendor runs itself are not among them. */
export function callsOf(chunks: readonly Chunk[]): ModelCall[] {
  const texts = new Map<string, string>();
  const calls: ModelCall[] = [];
  for (const { type, payload } of chunks) {
    const { toolCallId, toolName, args, argsTextDelta, providerExecuted } = Object(payload) as Record<string, unknown>;
    const id = String(toolCallId);
    if (type === "tool-call-delta") texts.set(id, `${texts.get(id) ?? ""}${argsTextDelta}`);
    if (type !== "tool-call" || providerExecuted === true) continue;
    calls.push({ id, name: String(toolName), args: written(args, texts.get(id) ?? "") });
  }
  return calls;
}

/** Mastra reads broken JSON as no arguments. The model's own text shows what is wrong. */
function written(args: unknown, text: string): unknown {
  const isEmpty = Object.keys(Object(args) as object).length === 0;
  return isEmpty && text.trim() !== "" ? text : args;
}

/**
 * Makes the reveals of a session that has none yet those of the conversation: what was loaded before the process was
 * started, or by another one. What was loaded ahead of its first request stands in no message, and is loaded again.
 * Messages that memory has brought along from other threads do not count.
 */
export function recall(session: Session, list: MessageList, threadId: string | undefined, { prefetch }: AheadOptions): void {
  if (!isNew(session)) return;
  const messages = list.get.all.db().filter((one) => !one.threadId || !threadId || one.threadId === threadId);
  const calls = messages.flatMap(invocations).map((one) => ({ name: one.toolName, arguments: one.args, ...answerOf(one) }));
  const first = messages.findIndex(({ role }) => role === "assistant");
  if (first > 0) searchAhead(session, { prefetch }, { messages: neutralMessages(messages.slice(0, first)) });
  rebuilt(session, () => session.fromMessages(calls, { format: "mcp" }));
}

function answerOf({ state, result, isError, errorText }: Invocation): { result?: unknown } {
  if (state === "output-error") return { result: failed(errorText) };
  if (state !== "result" || result === undefined) return {};
  return { result: isError === true ? failed(result) : result };
}

const failed = (text: unknown) => ({ content: [{ type: "text", text }], isError: true });

/** The messages as other SDKs have them. */
export function neutralMessages(messages: readonly Message[]): object[] {
  return messages.map(({ role, content }) => ({ role, content: content?.parts }));
}

function invocations({ role, content }: Message): Invocation[] {
  if (role !== "assistant") return [];
  return (content?.parts ?? []).flatMap((part) => (part.type === "tool-invocation" ? [part.toolInvocation] : []));
}

/** The beginning of Mastra's message about a call of a tool that it does not have. */
const NOT_FOUND = /^Tool "[^]*" not found\./;

/**
 * The calls of the reply that a run goes on with, of which Mastra has said that there is no such tool. They were decided
 * before another call of the same reply was held back, in a run that is over.
 */
export function lost(list: MessageList): ModelCall[] {
  const messages = list.get.all.db();
  const since = messages.slice(messages.map(({ role }) => role).lastIndexOf("user") + 1);
  return since.flatMap(invocations).flatMap(({ state, errorText, toolCallId: id, toolName: name, args }) => {
    return state === "output-error" && NOT_FOUND.test(errorText ?? "") ? [{ id, name, args }] : [];
  });
}

/**
 * Writes into the conversation what calls came to that Mastra answered by itself, since it finds no tool for what is not
 * loaded: the model is told the way out instead.
 *
 * @param before the tools that the model had when it made the calls
 * @param now those that it has next
 */
export function answer(list: MessageList, left: readonly Decided[], before: Names, now: Names): void {
  if (left.length === 0) return;
  const made = new Map(
    list.get.all
      .db()
      .flatMap(invocations)
      .map((one) => [one.toolCallId, one]),
  );
  for (const { call, outcome } of left) {
    const invocation = made.get(call.id ?? "");
    if (invocation?.state !== "output-error" && invocation?.state !== "result") continue;
    const { toolCallId, toolName, args } = invocation;
    const say = (state: Partial<Invocation>) => {
      const toolInvocation = { toolCallId, toolName, args, ...state } as Invocation;
      list.updateToolInvocation({ type: "tool-invocation", toolInvocation });
    };
    if (outcome.kind === "result" && !outcome.isError) say({ state: "result", result: outcome.content });
    else if (outcome.kind !== "dispatch") say({ state: "output-error", errorText: answerText(outcome) });
    else if (!before.has(call.name)) say({ state: "output-error", errorText: notRun(call.name, now) });
  }
}

/** A call that may be made, of a tool that Mastra did not have yet: it was loaded in the same reply. */
function notRun(name: string, now: Names): string {
  if (now.has(name)) {
    return `${name} was loaded in the same step, so this call did not run. It is loaded now: call it again.`;
  }
  return `${name} cannot be called by its name, so this call did not run. Call it by way of the tools that you have.`;
}
