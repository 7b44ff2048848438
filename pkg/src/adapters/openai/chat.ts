/** How does Chat Completions go round? Tools as functions, calls in the assistant's message, a message for each answer. */

import type OpenAI from "openai";
import type { Answer, Model, ModelCall, ModelReply, ModelRequest } from "../../index.js";
import { joined } from "../lib/prompt.js";

type Message = OpenAI.ChatCompletionMessageParam;
type Sent = OpenAI.ChatCompletionCreateParamsNonStreaming;

/** What the model is asked with. `messages` is the conversation: it grows by what the model and the tools say. */
export type ChatParams = Omit<Sent, "stream"> & { messages: Message[]; stream?: boolean | null };

/** What the model replied. */
export interface ChatReply extends ModelReply {
  /** The text of the reply; empty where there is none. */
  text: string;
  completion: OpenAI.ChatCompletion;
}

/** Options of `chatCompletions`. */
export interface ChatOptions {
  /** With `stream: true`, is given every chunk as it arrives. */
  onChunk?: (chunk: OpenAI.ChatCompletionChunk) => void;
}

/**
 * A model behind Chat Completions, for `runTools`: OpenAI's own, or any that speaks the same.
 *
 * ```ts
 * await runTools(session, { ...chatCompletions(new OpenAI(), { model: "gpt-5.2", messages }), execute });
 * ```
 *
 * @param params those of `client.chat.completions.create`. Tools of your own in them stand before the session's.
 */
export function chatCompletions(client: OpenAI, params: ChatParams, { onChunk }: ChatOptions = {}): Model<ChatReply> {
  const { messages } = params;
  return {
    format: "openai",
    send: async (request) => {
      const body = chatRequest(params, request);
      const completion = params.stream ? await streamed(client, body, request, onChunk) : await whole(client, body, request);
      const message = completion.choices[0]?.message;
      if (message !== undefined) messages.push(message);
      return { calls: chatCalls(message), text: message?.content ?? "", completion };
    },
    answered: (answers) => void messages.push(...chatAnswers(answers)),
  };
}

function whole(client: OpenAI, body: Sent, { signal }: ModelRequest): Promise<OpenAI.ChatCompletion> {
  return client.chat.completions.create(body, { signal });
}

function streamed(client: OpenAI, body: Sent, { signal }: ModelRequest, onChunk: ChatOptions["onChunk"]) {
  const stream = client.chat.completions.stream({ ...body, stream: true }, { signal });
  if (onChunk !== undefined) stream.on("chunk", onChunk);
  return stream.finalChatCompletion();
}

/** The parameters of one request: with the tools, and the prompt section behind the host's own system message. */
export function chatRequest(params: ChatParams, request: Pick<ModelRequest, "tools" | "systemPrompt">): Sent {
  const { stream: _, ...body } = params;
  const tools = [...(params.tools ?? []), ...(request.tools as unknown as OpenAI.ChatCompletionTool[])];
  const messages = withPrompt(params.messages, request.systemPrompt);
  return tools.length === 0 ? { ...body, messages } : { ...body, messages, tools };
}

function withPrompt(messages: readonly Message[], prompt: string): Message[] {
  const [first, ...others] = messages;
  if (prompt === "") return [...messages];
  if (first?.role !== "system" && first?.role !== "developer") return [{ role: "system", content: prompt }, ...messages];
  const { content } = first;
  const said = typeof content === "string" ? joined(content, prompt) : [...content, { type: "text" as const, text: prompt }];
  return [{ ...first, content: said }, ...others];
}

/** The calls of a reply. */
export function chatCalls(message: OpenAI.ChatCompletionMessage | undefined): ModelCall[] {
  return (message?.tool_calls ?? []).map((call) =>
    call.type === "custom"
      ? { id: call.id, name: call.custom.name, args: call.custom.input }
      : { id: call.id, name: call.function.name, args: call.function.arguments },
  );
}

/** The messages that answer the calls. */
export function chatAnswers(answers: readonly Answer[]): OpenAI.ChatCompletionToolMessageParam[] {
  return answers.map(({ call, content }) => ({ role: "tool", tool_call_id: call.id ?? "", content }));
}
