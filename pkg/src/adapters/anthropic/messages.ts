/** How does the Messages API go round? Each request by its road, each reply kept as it is, each pause gone on from. */

import type Anthropic from "@anthropic-ai/sdk";
import { able } from "../../checks.js";
import type { Model, ModelRequest } from "../../index.js";
import { conversationIn, toolsIn } from "../lib/params.js";
import { messagesAnswers } from "./answers.js";
import { optionsIn } from "./options.js";
import { messagesCalls, messagesSearches } from "./reply.js";
import { prepared } from "./request.js";
import type { MessagesClient, MessagesOptions, MessagesParams, MessagesReply } from "./types.js";

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
 * @param params those of `client.messages.create`. Tools of your own in them stand before the session's.
 * @throws ToolSiftError `option_invalid`, `option_unknown`; `send` throws what the client and `messagesRequest` do
 */
export function messages(
  client: MessagesClient,
  params: MessagesParams,
  options: MessagesOptions = {},
): Model<MessagesReply> {
  const told = checked(client, params, options);
  let answering: Parameters<typeof messagesAnswers>[1];
  return {
    format: "anthropic",
    send: async (request) => {
      const replies: Anthropic.Message[] = [];
      const searches: NonNullable<MessagesReply["searches"]>[number][] = [];
      let message: Anthropic.Message;
      do {
        const { road, body } = prepared(params, request, told);
        message = await ask(client, body, params.stream, request, told);
        searches.push(...messagesSearches(message, params.messages));
        replies.push(message);
        answering = road !== "plain" ? { session: request.session, message } : undefined;
        // A message without content would be refused with the next request.
        if (message.content.length > 0) params.messages.push({ role: "assistant", content: message.content });
      } while (message.stop_reason === "pause_turn" && message.content.length > 0 && replies.length <= MOST_PAUSES);
      return { calls: messagesCalls(message), searches, text: replies.map(textIn).join(""), message };
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

function checked(client: MessagesClient, params: MessagesParams, options: MessagesOptions): MessagesOptions {
  able("client.messages", client?.messages, ["create", "stream"], "those of a client of @anthropic-ai/sdk");
  conversationIn(params, "messages", '[{ role: "user", content: "…" }]');
  toolsIn(params);
  return optionsIn(options);
}
