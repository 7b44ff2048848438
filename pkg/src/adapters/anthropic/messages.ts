/** Runs the loop of the Messages API: sends each request in its mode, keeps replies unchanged, and resumes after pauses. */

import type Anthropic from "@anthropic-ai/sdk";
import { able } from "../../checks.js";
import type { Model, ModelRequest } from "../../index.js";
import { exclusive } from "../lib/exclusive.js";
import { markOwn } from "../lib/own-tools.js";
import { conversationIn, conversationOf, toolsIn } from "../lib/params.js";
import { excerpt, noReply, objectsIn } from "../../wire/reply.js";
import { messagesAnswers } from "../../wire/anthropic-answers.js";
import { optionsIn } from "./options.js";
import { messagesCalls, messagesSearches } from "../../wire/anthropic.js";
import { prepared } from "./request.js";
import { nameOf } from "./tools.js";
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
 * @param params those of `client.messages.create`. Tools of your own in them stand before the session's; calls to them
 * come to `execute` too, with `server: null`.
 * @throws ToolSiftError `option_invalid`, `option_unknown`. `send` throws what the client and `messagesRequest` do, and
 * `reply_invalid` where the vendor answers without a message.
 */
export function messages(
  client: MessagesClient,
  params: MessagesParams,
  options: MessagesOptions = {},
): Model<MessagesReply, "anthropic"> {
  const told = checked(client, params, options);
  /** The reply whose calls are being answered. Both join the conversation together: no call may stand alone. */
  let open: Anthropic.MessageParam[] = [];
  let answering: Parameters<typeof messagesAnswers>[1];
  return {
    format: "anthropic",
    begin: exclusive("messages", params),
    send: async (request) => {
      const replies: Anthropic.Message[] = [];
      const searches: NonNullable<MessagesReply["searches"]>[number][] = [];
      open = [];
      for (;;) {
        const messages = [...conversationOf(params, "messages"), ...open];
        const { road, body, own } = prepared({ ...params, messages }, request, told);
        const message = await ask(client, body, params.stream, request, told);
        const calls = markOwn(messagesCalls(message), own, nameOf);
        searches.push(...messagesSearches(message, messages));
        replies.push(message);
        answering = road !== "plain" ? { session: request.session, message } : undefined;
        const said = sayable(message);
        open.push(...said);
        const isPaused = message.stop_reason === "pause_turn" && calls.length === 0 && said.length > 0;
        if (isPaused && replies.length <= MOST_PAUSES) continue;
        if (calls.length === 0) conversationOf(params, "messages").push(...open);
        return { calls, searches, text: replies.map(textIn).join(""), message };
      }
    },
    answered: (answers) => void conversationOf(params, "messages").push(...open, messagesAnswers(answers, answering)),
  };
}

/** A reply as the API takes it back: it may hold empty texts, and be empty, and neither is accepted again. */
function sayable({ content }: Anthropic.Message): Anthropic.MessageParam[] {
  const said = content.filter((block) => block.type !== "text" || String(block.text).trim() !== "");
  return said.length === 0 ? [] : [{ role: "assistant", content: said }];
}

async function ask(
  client: MessagesClient,
  body: Anthropic.MessageCreateParamsNonStreaming,
  stream: boolean | undefined,
  { signal }: Pick<ModelRequest, "signal">,
  { onStreamEvent }: MessagesOptions,
): Promise<Anthropic.Message> {
  if (stream !== true) return message(await client.messages.create(body, { signal }));
  const events = client.messages.stream(body, { signal });
  if (onStreamEvent !== undefined) events.on("streamEvent", (event) => onStreamEvent(event));
  return message(await events.finalMessage());
}

function message(reply: Anthropic.Message): Anthropic.Message {
  if (!Array.isArray(reply?.content)) throw noReply(`the vendor answered no message: ${excerpt(reply)}`);
  objectsIn("content", reply.content);
  return reply;
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
