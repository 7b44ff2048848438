/** How does the Messages API go round? Each request by its road, each reply kept as it is, each pause gone on from. */

import type Anthropic from "@anthropic-ai/sdk";
import { able, callable, known } from "../../checks.js";
import { ToolSiftError } from "../../errors.js";
import type { Model, ModelRequest } from "../../index.js";
import { markOwn } from "../lib/own.js";
import { messagesAnswers } from "./answers.js";
import { messagesCalls, messagesSearches } from "./reply.js";
import { prepared } from "./request.js";
import { nameOf } from "./tools.js";
import type { MessagesClient, MessagesOptions, MessagesParams, MessagesReply } from "./types.js";

const OPTIONS = ["mode", "hostedSearch", "supportsHosted", "toolsCache", "onStreamEvent"];
const MODES = ["plain", "client", "hosted", "auto"];
const SEARCHES = ["bm25", "regex"];

/** How often one reply is gone on with that the API paused. */
const MOST_PAUSES = 10;

/**
 * A model behind Anthropic's Messages API, for `runTools`.
 *
 * ```ts
 * const params = { model: "claude-opus-5-5", max_tokens: 4096, messages };
 * await runTools(session, { ...messages(new Anthropic(), params, { mode: "client" }), execute });
 * ```
 *
 * @param params those of `client.messages.create`. Tools of your own in them stand before the session's; calls to them
 * come to `execute` too, with `server: null`.
 * @throws ToolSiftError `option_invalid`, `option_unknown`; `send` throws what the client and `messagesRequest` do
 */
export function messages(
  client: MessagesClient,
  params: MessagesParams,
  options: MessagesOptions = {},
): Model<MessagesReply> {
  check(client, params, options);
  let answering: Parameters<typeof messagesAnswers>[1];
  return {
    format: "anthropic",
    send: async (request) => {
      const replies: Anthropic.Message[] = [];
      const searches: NonNullable<MessagesReply["searches"]>[number][] = [];
      let message: Anthropic.Message;
      let own: ReturnType<typeof prepared>["own"];
      do {
        const { road, body, ...parts } = prepared(params, request, options);
        own = parts.own;
        message = await ask(client, body, params.stream, request, options);
        searches.push(...messagesSearches(message, params.messages));
        replies.push(message);
        answering = road !== "plain" ? { session: request.session, message } : undefined;
        // A message without content would be refused with the next request.
        if (message.content.length > 0) params.messages.push({ role: "assistant", content: message.content });
      } while (message.stop_reason === "pause_turn" && message.content.length > 0 && replies.length <= MOST_PAUSES);
      return { calls: markOwn(messagesCalls(message), own, nameOf), searches, text: replies.map(textIn).join(""), message };
    },
    answered: (answers) => void params.messages.push(messagesAnswers(answers, answering)),
  };
}

function ask(
  client: MessagesClient,
  body: Anthropic.MessageCreateParamsNonStreaming,
  stream: boolean | undefined,
  { signal }: ModelRequest,
  { onStreamEvent }: MessagesOptions,
): Promise<Anthropic.Message> {
  if (stream !== true) return client.messages.create(body, { signal });
  const events = client.messages.stream(body, { signal });
  if (onStreamEvent !== undefined) events.on("streamEvent", (event) => onStreamEvent(event));
  return events.finalMessage();
}

function textIn({ content }: Anthropic.Message): string {
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

function check(client: MessagesClient, params: MessagesParams, options: MessagesOptions): void {
  able("client.messages", client?.messages, ["create", "stream"], "those of a client of @anthropic-ai/sdk");
  able("params.messages", params?.messages, ["push"], "a list that grows");
  known(options, OPTIONS);
  oneOf("mode", options.mode, MODES);
  oneOf("hostedSearch", options.hostedSearch, SEARCHES);
  callable("supportsHosted", options.supportsHosted, true);
  callable("onStreamEvent", options.onStreamEvent, true);
}

function oneOf(key: string, value: unknown, values: readonly unknown[]): void {
  if (value === undefined || values.includes(value)) return;
  throw new ToolSiftError("option_invalid", `options.${key} is ${JSON.stringify(value)}; one of ${values.join(", ")}`);
}
