/** Runs the loop of the Messages API: sends each request in its mode, keeps replies unchanged, and resumes after pauses. */

import type Anthropic from "@anthropic-ai/sdk";
import { requireMethods } from "../../base/checks.js";
import type { Model, ModelRequest } from "../../index.js";
import { shaped, aFunction, anObject, oneNameOf, type Shape } from "../../base/shape.js";
import { answersOf, nameOf, read, searchesIn, freed, withPrompt } from "../../wire/anthropic.js";
import { excerpt, noReply } from "../../wire/reply.js";
import { exclusive } from "../lib/exclusive.js";
import { markOwn } from "../lib/own-tools.js";
import { conversationIn, toolsIn } from "../lib/params.js";
import type { MessagesClient, MessagesOptions, MessagesParams, MessagesReply, MessagesAssembly } from "./types.js";
import { resolvable } from "../../wire/anthropic-references.js";
import { offer } from "./tools.js";

/** How often one reply is gone on with that the API paused. */
const MOST_PAUSES = 10;

/**
 * A model behind Anthropic's Messages API, for `runTools`.
 *
 * ```ts
 * const params = { model: "claude-opus-5-5", max_tokens: 4096, messages };
 * await runTools(session, { ...messagesModel(new Anthropic(), params, { mode: "client" }), execute });
 * ```
 *
 * @param params those of `client.messages.create`. Tools of your own in them stand before the session's; calls to them
 * come to `execute` too, with `server: null`.
 * @throws ToolSiftError `option_invalid`, `option_unknown`. `send` throws what the client throws,
 * `limit_out_of_range` where more tools would be deferred than the API takes, `option_conflict` where a tool of your own is
 * called as a discovery tool is, and `reply_invalid` where the vendor answers without a message.
 */
export function messagesModel(
  client: MessagesClient,
  params: MessagesParams,
  options: MessagesOptions = {},
): Model<MessagesReply, "anthropic"> {
  const settings = checked(client, params, options);
  /** The reply whose calls are being answered. Both join the conversation together: no call may stand alone. */
  let open: Anthropic.MessageParam[] = [];
  let answering: Parameters<typeof answersOf>[1];
  return {
    format: "anthropic",
    conversation: params,
    begin: exclusive("messages", params),
    send: async (request) => {
      let text = "";
      let pauses = 0;
      const searches: NonNullable<MessagesReply["searches"]>[number][] = [];
      open = [];
      for (;;) {
        const messages = [...params.messages, ...open];
        const { road, body, own } = prepared({ ...params, messages }, request, settings);
        const message = await ask(client, body, params.stream, request, settings);
        const reply = read(message);
        if (reply === undefined) throw noReply(`the vendor answered no message: ${excerpt(message)}`);
        const calls = markOwn(reply.calls, own, nameOf);
        searches.push(...searchesIn(message, messages));
        text += reply.text;
        answering = road !== "plain" ? { session: request.session, message } : undefined;
        open.push(...(reply.messages as Anthropic.MessageParam[]));
        const isPaused = message.stop_reason === "pause_turn" && calls.length === 0 && reply.messages.length > 0;
        if (isPaused && pauses++ < MOST_PAUSES) continue;
        if (calls.length === 0) params.messages.push(...open);
        return { calls, searches, text, message };
      }
    },
    answered: (answers) => void params.messages.push(...open, ...answersOf(answers, answering)),
  };
}

async function ask(
  client: MessagesClient,
  body: Anthropic.MessageCreateParamsNonStreaming,
  stream: boolean | undefined,
  { signal }: Pick<ModelRequest, "signal">,
  { onStreamEvent }: MessagesOptions,
): Promise<Anthropic.Message> {
  if (stream !== true) return client.messages.create(body, { signal });
  const events = client.messages.stream(body, { signal });
  if (onStreamEvent !== undefined) events.on("streamEvent", (event) => onStreamEvent(event));
  return events.finalMessage();
}

function checked(client: MessagesClient, params: MessagesParams, options: MessagesOptions): MessagesOptions {
  requireMethods("client.messages", client?.messages, ["create", "stream"], "those of a client of @anthropic-ai/sdk");
  conversationIn(params, "messages", '[{ role: "user", content: "…" }]');
  toolsIn(params);
  return shaped(options, OPTIONS);
}

const OPTIONS: Shape<MessagesOptions> = {
  mode: oneNameOf("plain", "client", "hosted", "auto"),
  hostedSearch: oneNameOf("bm25", "regex"),
  supportsHosted: aFunction,
  toolsCache: anObject,
  onStreamEvent: aFunction,
};

/**
 * The body of one request: with the tools of the session behind those of the host, and the prompt section as a block
 * behind the host's own system prompt. `params` and its messages stay as they are. With the road on which the tools go,
 * and the host's own tools.
 *
 * A `tool_choice` that demands a call holds for the first request of a run: with it in all of them no run would end.
 *
 * @throws ToolSiftError `limit_out_of_range` where more tools would be deferred than the API takes; `option_conflict` where
 * a tool of the host's is called as a discovery tool is
 */
function prepared(params: MessagesParams, request: MessagesAssembly, options: MessagesOptions) {
  const { stream: _, system, tools: __, tool_choice, ...others } = params;
  const { road, tools, own } = offer(params, request, options);
  const names = new Set(tools.flatMap((tool) => ("name" in tool ? [tool.name] : [])));
  const messages = resolvable(params.messages, names, road !== "plain");
  // The section tells of our own search.
  const section = road === "hosted" ? "" : request.systemPrompt;
  const blocks = section === "" ? system : withPrompt(system, section, (block): Anthropic.TextBlockParam => block);
  const body: Anthropic.MessageCreateParamsNonStreaming = {
    ...others,
    messages,
    ...(blocks === undefined ? {} : { system: blocks }),
    ...(tools.length === 0 ? {} : { tools, ...choiceOf(tool_choice, request.step) }),
  };
  return { road, own, body };
}

function choiceOf(choice: MessagesParams["tool_choice"], step: number): Pick<MessagesParams, "tool_choice"> {
  if (choice === undefined) return {};
  return { tool_choice: step === 1 ? choice : (freed(choice) as typeof choice) };
}
