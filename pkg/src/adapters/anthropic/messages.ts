/** A model for `runTools` over the Messages API: adds the session's tools to each request, and continues paused replies. */

import type Anthropic from "@anthropic-ai/sdk";
import { requireMethods } from "../../base/checks.js";
import { ToolSiftError } from "../../base/errors.js";
import { aFunction, anObject, type Shape, shaped } from "../../base/shape.js";
import type { AnthropicTool, Answer, Model, ModelReply, ModelRequest, Session } from "../../index.js";
import { answersOf, freed, nameOf, read, withPrompt } from "../../wire/anthropic.js";
import { referencesIn, resolvable } from "../../wire/anthropic-search.js";
import { LIMITS } from "../../wire/limits.js";
import { excerpt, noReply } from "../../wire/reply.js";
import { DEFER_LOADING, type DeferLoading, deferredIn } from "../lib/defer-loading.js";
import { exclusive } from "../lib/exclusive.js";
import { beside, markOwn } from "../lib/own-tools.js";
import { conversationIn, toolsIn } from "../lib/params.js";

/** A client of `@anthropic-ai/sdk`, or of a package with the same methods for another platform. */
export interface MessagesClient {
  messages: Pick<Anthropic.Messages, "create" | "stream">;
}

/** The parameters of the requests. `messages` is the conversation: replies and answers are appended to it. */
export type MessagesParams = Omit<Anthropic.MessageCreateParamsNonStreaming, "stream"> & {
  messages: Anthropic.MessageParam[];
  stream?: boolean | undefined;
};

/** Options of `messagesModel`. */
export interface MessagesOptions extends DeferLoading {
  /** The cache breakpoint for the last tool that stays the same during the whole conversation. Default: none. */
  toolsCache?: Anthropic.CacheControlEphemeral | undefined;
  /** With `stream: true`, called for every event as it arrives. An error that it throws ends the run. */
  onStreamEvent?: ((event: Anthropic.MessageStreamEvent) => void) | undefined;
}

/** The model's reply. */
export interface MessagesReply extends ModelReply {
  /** The text of the reply; empty if there is no text. */
  text: string;
  /** The message of the reply; after pauses, the last message. */
  message: Anthropic.Message;
}

type Tool = Anthropic.ToolUnion;
type Request = Pick<ModelRequest<"anthropic">, "session" | "tools" | "systemPrompt" | "step">;

/** The maximum number of requests that continue one paused reply. */
const MOST_PAUSES = 10;

const OPTIONS: Shape<MessagesOptions> = { ...DEFER_LOADING, toolsCache: anObject, onStreamEvent: aFunction };

/**
 * Returns a model for `runTools` that uses Anthropic's Messages API.
 *
 * ```ts
 * const params = { model: "claude-opus-5-5", max_tokens: 4096, messages };
 * await runTools(session, { ...messagesModel(new Anthropic(), params), execute });
 * ```
 *
 * @param params the parameters of `client.messages.create`. Tools in them come before the session's tools; their calls are
 *   also passed to `execute`, with `server: null`.
 * @throws ToolSiftError `option_invalid`, `option_unknown`. `send` throws the client's errors; `option_conflict` if a tool
 *   of `params` has the name of a discovery tool, or if the session's settings do not allow `deferLoading`;
 *   `limit_out_of_range` if more tools would be deferred than the API allows; `reply_invalid` if the vendor's response has
 *   no message.
 */
export function messagesModel(
  client: MessagesClient,
  params: MessagesParams,
  options: MessagesOptions = {},
): Model<MessagesReply, "anthropic"> {
  requireMethods("client.messages", client?.messages, ["create", "stream"], "those of a client of @anthropic-ai/sdk");
  conversationIn(params, "messages", '[{ role: "user", content: "…" }]');
  toolsIn(params);
  const settings = shaped(options, OPTIONS);
  /** The reply whose calls are being answered. It is appended with its answers, so that no call is without an answer. */
  let open: Anthropic.MessageParam[] = [];
  let toMessages: (answers: readonly Answer[]) => Anthropic.MessageParam[] = answersOf;
  return {
    format: "anthropic",
    conversation: params,
    begin: exclusive("messages", params),
    send: async (request) => {
      let text = "";
      let pauses = 0;
      open = [];
      const { session } = request;
      const deferred = settings.deferLoading ? deferredIn(session, "anthropic") : new Map<string, AnthropicTool>();
      for (;;) {
        const own = beside(params.tools ?? [], request, nameOf);
        const body = prepared({ ...params, messages: [...params.messages, ...open] }, own, deferred, request, settings);
        const message = await ask(client, body, params.stream, request, settings);
        const reply = read(message);
        if (reply === undefined) throw noReply(`the vendor answered no message: ${excerpt(message)}`);
        const calls = markOwn(reply.calls, own, nameOf);
        const loaded = (answer: Answer) => loadedBy(answer, session).filter((name) => deferred.has(name));
        toMessages = (answers) => answersOf(answers, loaded, message.content);
        text += reply.text;
        open.push(...(reply.messages as Anthropic.MessageParam[]));
        const isPaused = message.stop_reason === "pause_turn" && calls.length === 0 && reply.messages.length > 0;
        if (isPaused && pauses++ < MOST_PAUSES) continue;
        if (calls.length === 0) params.messages.push(...open);
        return { calls, text, message };
      }
    },
    answered: (answers) => void params.messages.push(...open, ...toMessages(answers)),
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

/**
 * Returns the body of one request: the session's tools come after your program's tools, and the prompt section is a block
 * after your program's system prompt. `params` and its messages are not changed.
 *
 * A `tool_choice` that forces a call is sent only in the first request of a run: if it were sent in every request, no run
 * would end.
 */
function prepared(
  { stream: _, messages, system, tools: __, tool_choice: choice, ...others }: MessagesParams,
  own: readonly Tool[],
  deferred: ReadonlyMap<string, AnthropicTool>,
  request: Request,
  options: MessagesOptions,
): Anthropic.MessageCreateParamsNonStreaming {
  const { systemPrompt: section, step } = request;
  const standing = request.tools.filter(({ name }) => !deferred.has(name));
  const tools = [
    ...orderedTools(own, { ...request, tools: standing }, options),
    ...deferring(deferred, referencesIn(messages), request.session),
  ];
  const referable = new Set(deferred.size === 0 ? [] : tools.flatMap((tool) => nameOf(tool) ?? []));
  const blocks = section === "" ? system : withPrompt(system, section, (block): Anthropic.TextBlockParam => block);
  const chosen = choice === undefined ? {} : { tool_choice: step === 1 ? choice : (freed(choice) as typeof choice) };
  return {
    ...others,
    messages: resolvable(messages, referable),
    ...(blocks === undefined ? {} : { system: blocks }),
    ...(tools.length === 0 ? {} : { tools, ...chosen }),
  };
}

/** Returns your program's tools, then the session's. Sets `toolsCache` on the last tool before loaded tools and stubs. */
function orderedTools(own: readonly Tool[], { session, tools }: Request, { toolsCache }: MessagesOptions): Tool[] {
  const all: Tool[] = [...own, ...tools];
  if (toolsCache === undefined) return all;
  const catalog = session.named(tools.map(({ name }) => name));
  const first = tools.findIndex(({ name }) => (catalog.get(name)?.state ?? "eager") !== "eager");
  const last = first === -1 ? all.length - 1 : own.length + first - 1;
  return all.map((tool, at) => (at === last ? ({ ...tool, cache_control: toolsCache } as Tool) : tool));
}

/**
 * Returns the deferred tools in the form that is sent. A tool that was loaded without a reference (by your program, or in
 * messages that are gone) is sent in full, before the others.
 */
function deferring(all: ReadonlyMap<string, AnthropicTool>, referred: ReadonlySet<string>, session: Session): Tool[] {
  const full = session.revealed.filter((name) => all.has(name) && !referred.has(name));
  const others = [...all].filter(([name]) => !full.includes(name));
  const { most } = LIMITS.anthropicDeferred;
  if (others.length > most) {
    const advice = `at most ${most} are taken: narrow the session's scope, or leave out deferLoading`;
    throw new ToolSiftError("limit_out_of_range", `${others.length} tools would be deferred; ${advice}`);
  }
  return [...full.map((name) => all.get(name)!), ...others.map(([, tool]) => ({ ...tool, defer_loading: true }))];
}

/** Returns the tools that were loaded by a search, or by a call that came too early. */
function loadedBy({ call, outcome }: Answer, { revealed }: Session): string[] {
  if (outcome.kind === "result") return outcome.revealed;
  const isEarly = outcome.kind === "refused" && outcome.error.code === "tool_not_revealed";
  return isEarly && revealed.includes(call.name) ? [call.name] : [];
}
