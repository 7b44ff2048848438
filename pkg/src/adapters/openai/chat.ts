/** A model for `runTools` over Chat Completions: sends requests, reads the calls of replies, and appends their answers. */

import type OpenAI from "openai";
import { requireMethods } from "../../base/checks.js";
import type { Model, ModelReply, ModelRequest } from "../../index.js";
import { aFunction, type Shape, shaped } from "../../base/shape.js";
import { fitted, limitOf, MAX_TOOLS, type MaxTools } from "../../wire/limits.js";
import * as chat from "../../wire/openai-chat.js";
import { excerpt, joined, noReply } from "../../wire/reply.js";
import { exclusive } from "../lib/exclusive.js";
import { beside, markOwn } from "../lib/own-tools.js";
import { conversationIn, toolsIn, wrong } from "../lib/params.js";

type Message = OpenAI.ChatCompletionMessageParam;
type Sent = OpenAI.ChatCompletionCreateParamsNonStreaming;
type Tool = OpenAI.ChatCompletionTool;
type Client = Pick<OpenAI, "chat">;
type Choice = OpenAI.ChatCompletionToolChoiceOption;

/** The parameters of the requests. `messages` is the conversation: replies and answers are appended to it. */
export type ChatParams = Omit<Sent, "stream"> & { messages: Message[]; stream?: boolean | null };

/** The model's reply. */
export interface ChatReply extends ModelReply {
  /** The text of the reply, or of the model's refusal; empty if there is neither. */
  text: string;
  completion: OpenAI.ChatCompletion;
}

/** Options of `chatModel`. */
export interface ChatOptions extends MaxTools {
  /** With `stream: true`, called for every chunk as it arrives. */
  onChunk?: ((chunk: OpenAI.ChatCompletionChunk) => void) | undefined;
}

/** The data of the run that a request is built from. */
export type ChatRequest = Pick<ModelRequest<"openai">, "tools" | "systemPrompt" | "session" | "step">;

/**
 * Returns a model for `runTools` that uses Chat Completions, of OpenAI or of any compatible vendor.
 *
 * ```ts
 * await runTools(session, { ...chatModel(new OpenAI(), { model: "gpt-5.4", messages }), execute });
 * ```
 *
 * @param params the parameters of `client.chat.completions.create`. Tools in them come before the session's tools; their
 *   calls are also passed to `execute`, with `server: null`.
 * @throws ToolSiftError `option_invalid`, `option_unknown`. `send` throws the client's errors; `reply_invalid` if the
 *   vendor's response has no choice; `option_conflict` if a tool of `params` has the name of a discovery tool.
 */
export function chatModel(client: Client, params: ChatParams, options?: ChatOptions): Model<ChatReply, "openai"> {
  const { onChunk, maxTools } = checked(client, params, options ?? {});
  /** The reply whose calls are being answered. It is appended with its answers, so that no call is without an answer. */
  let open: Message[] = [];
  return {
    format: "openai",
    conversation: params,
    begin: exclusive("messages", params),
    send: async (request) => {
      const own = ownTools(params, request);
      const body = chatRequest(params, request, { maxTools });
      const completion = await ask(client, body, params.stream, request, onChunk);
      const reply = chat.read(completion);
      if (reply === undefined) throw noReply(`the vendor answered no choice: ${excerpt(completion)}`);
      const calls = markOwn(reply.calls, own, chat.nameOf);
      open = reply.messages as Message[];
      if (calls.length === 0) params.messages.push(...open);
      return { calls, text: reply.text, completion };
    },
    answered: (answers) => void params.messages.push(...open, ...chat.answersOf(answers)),
  };
}

const OPTIONS: Shape<ChatOptions> = { ...MAX_TOOLS, onChunk: aFunction };

function checked(client: Client, params: ChatParams, options: ChatOptions): ChatOptions {
  const valid = shaped(options, OPTIONS);
  requireMethods("client.chat.completions", client?.chat?.completions, ["create"], "that of an OpenAI client");
  conversationIn(params, "messages", '[{ role: "user", content: "…" }]');
  toolsIn(params);
  const { n, functions, function_call } = params;
  if (n !== undefined && n !== null && n !== 1) throw wrong(`params.n is ${n}; a conversation goes on with one choice`);
  if ((functions ?? function_call ?? undefined) !== undefined) {
    throw wrong("params.functions and params.function_call are the old form; pass tools and tool_choice");
  }
  return valid;
}

async function ask(
  client: Client,
  body: Sent,
  isStream: boolean | null | undefined,
  { signal }: Pick<ModelRequest, "signal">,
  onChunk: ChatOptions["onChunk"],
): Promise<OpenAI.ChatCompletion> {
  if (!isStream) return client.chat.completions.create(body, { signal });
  const chunks = await client.chat.completions.create({ ...body, stream: true }, { signal });
  return (await joined(chunks, new chat.Pieces(), onChunk, signal)) as OpenAI.ChatCompletion;
}

/**
 * Returns the parameters of one request: with the tools, and with the prompt section after your program's system messages. A
 * `tool_choice` that forces a call is sent only in the first request of a run: if it were sent in every request, no run
 * would end. If there are more tools than the vendor allows, the session evicts the least recently used tools.
 *
 * @throws ToolSiftError `limit_out_of_range` if the tools that are always sent are more than the vendor allows
 */
export function chatRequest(params: ChatParams, request: ChatRequest, options: MaxTools = {}): Sent {
  const { stream: _, tool_choice, tools: __, parallel_tool_calls, ...body } = params;
  const own = ownTools(params, request);
  const tools = [...own, ...fitted(request.tools, own.length, request.session, limitOf("openai", options), chat.nameOf)];
  const messages = chat.withPrompt(params.messages, request.systemPrompt);
  // The API refuses parameters about tools in a request without tools.
  if (tools.length === 0) return { ...body, messages };
  const choice = ((request.step > 1 ? chat.freed(tool_choice) : tool_choice) ?? undefined) as Choice | undefined;
  const parallel = parallel_tool_calls ?? undefined;
  return {
    ...body,
    messages,
    tools,
    ...(choice === undefined ? {} : { tool_choice: choice }),
    ...(parallel === undefined ? {} : { parallel_tool_calls: parallel }),
  };
}

function ownTools(params: ChatParams, request: Pick<ChatRequest, "tools" | "session">): Tool[] {
  return beside(params.tools ?? [], request, chat.nameOf);
}
