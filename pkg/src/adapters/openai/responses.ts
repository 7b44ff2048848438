/** A model for `runTools` over the Responses API. Your program or the vendor stores the conversation's items. */

import type OpenAI from "openai";
import { requireMethods } from "../../base/checks.js";
import { ToolSiftError } from "../../base/errors.js";
import type { Answer, Model, ModelReply, ModelRequest } from "../../index.js";
import { aFunction, type Shape, shaped } from "../../base/shape.js";
import { fitted, limitOf, MAX_TOOLS, type MaxTools } from "../../wire/limits.js";
import {
  callsIn,
  type ItemCall,
  freed,
  keyOf,
  nameOf,
  Pieces,
  read,
  TOOL_SEARCH,
  withPrompt,
} from "../../wire/openai-responses.js";
import { joined, noReply } from "../../wire/reply.js";
import { DEFER_LOADING, type DeferLoading } from "../lib/defer-loading.js";
import { exclusive } from "../lib/exclusive.js";
import { beside } from "../lib/own-tools.js";
import { conversationIn, toolsIn, wrong } from "../lib/params.js";
import { addMissing, type Definitions, definitionsIn, part, renamed, searchAnswers } from "./tool-search.js";

type Sent = OpenAI.Responses.ResponseCreateParamsNonStreaming;
type Tool = OpenAI.Responses.Tool;
type Response = OpenAI.Responses.Response;
type Input = OpenAI.Responses.ResponseInputItem;
type Event = OpenAI.Responses.ResponseStreamEvent;
type Client = Pick<OpenAI, "responses">;
type Body = Sent & { input: Input[] };

/**
 * The parameters of the requests. If your program stores the conversation, `input` is the whole conversation, and items are
 * appended to it. If the vendor stores it (`previous_response_id` or `conversation`), `input` has only the items that the
 * vendor does not have yet: it is emptied after each response, and `previous_response_id` is updated.
 */
export type ResponsesParams = Omit<Sent, "stream" | "input"> & { input: Input[]; stream?: boolean | null };

/** The model's reply. */
export interface ResponsesReply extends ModelReply {
  /** The text of the reply; empty if there is no text. */
  text: string;
  response: Response;
}

/** Options of `responsesModel`. */
export interface ResponsesOptions extends MaxTools, DeferLoading {
  /** With `stream: true`, called for every event as it arrives. */
  onChunk?: ((event: Event) => void) | undefined;
}

/**
 * Returns a model for `runTools` that uses the Responses API.
 *
 * ```ts
 * const model = responsesModel(new OpenAI(), { model: "gpt-5.4", input });
 * await runTools(session, { ...model, execute });
 * ```
 *
 * @param params the parameters of `client.responses.create`. Tools in them come before the session's tools; their calls are
 *   also passed to `execute`, with `server: null` or the name of their namespace.
 * @throws ToolSiftError `option_invalid`, `option_unknown`, `option_conflict`. `send` throws the client's errors;
 *   `reply_invalid` for a failed response; `option_conflict` if a tool of `params` has the name of a discovery tool, or if
 *   `deferLoading` does not go with the session's settings or with a `tool_search` in `params`.
 */
export function responsesModel(
  client: Client,
  params: ResponsesParams,
  options?: ResponsesOptions,
): Model<ResponsesReply, "openai-responses"> {
  const { onChunk, maxTools, deferLoading = false } = checked(client, params, options ?? {});
  /** With `deferLoading`: the definitions in the part of the conversation that the vendor stores, if this run knows them. */
  let before: Definitions = new Map();
  let toItems: (answers: readonly Answer[]) => object[] = () => [];
  /** Appends the last reply to the conversation together with its answers, so that no call is left without an answer. */
  let take: (answers: readonly Input[]) => void = () => {};
  return {
    format: "openai-responses",
    conversation: params,
    begin: exclusive("input", params),
    send: async (request) => {
      const own = ownServers(params, request);
      const { search, standing, revealed } = deferLoading ? part(request) : { standing: request.tools, revealed: [] };
      if (request.step === 1) before = new Map();
      addMissing(params.input, revealed, before);
      const systemPrompt = renamed(request.systemPrompt, search);
      const body = responsesRequest(params, { ...request, tools: standing, systemPrompt }, { maxTools });
      toItems = (answers) => searchAnswers(answers, search, request.session);
      const sent = params.input.length;
      const response = await ask(client, body, params.stream, request, onChunk);
      const reply = read(response);
      if (reply === undefined) throw failure(response);
      const made = callsIn(response.output, response.status, search);
      const calls = made.map((call) => ({ ...call, own: own.get(keyOf(call)) }));
      const items = reply.messages as Input[];
      take = (answers) => {
        const { input } = params;
        if (!isKeptByVendor(params)) return void input.push(...items, ...answers);
        before = definitionsIn([...input, ...items], before);
        input.splice(0, sent, ...answers);
        if (hasNone(params.conversation)) params.previous_response_id = response.id;
      };
      if (calls.length === 0) take([]);
      return { calls, text: reply.text, response };
    },
    answered: (answers) => take(toItems(answers) as Input[]),
  };
}

const OPTIONS: Shape<ResponsesOptions> = { ...MAX_TOOLS, ...DEFER_LOADING, onChunk: aFunction };

function checked(client: Client, params: ResponsesParams, options: ResponsesOptions): ResponsesOptions {
  const valid = shaped(options, OPTIONS);
  requireMethods("client.responses", client?.responses, ["create"], "that of an OpenAI client");
  conversationIn(params, "input", '[{ role: "user", content: "…" }]');
  toolsIn(params);
  if (params.background) throw wrong("params.background is true; the loop needs each reply");
  if (isKeptByVendor(params) && Object.isFrozen(params)) {
    throw wrong("params is frozen; previous_response_id moves on in it");
  }
  if (params.store === false && !hasNone(params.previous_response_id)) {
    throw new ToolSiftError("option_conflict", "params.previous_response_id goes on from what store: false drops");
  }
  if (valid.deferLoading && params.tools?.some((tool) => TOOL_SEARCH === (nameOf(tool) ?? tool.type))) {
    throw new ToolSiftError("option_conflict", "params.tools has a tool_search, and deferLoading adds one");
  }
  return valid;
}

function hasNone(value: unknown): boolean {
  return value === undefined || value === null;
}

function isKeptByVendor({ previous_response_id, conversation }: ResponsesParams): boolean {
  return !hasNone(previous_response_id) || !hasNone(conversation);
}

async function ask(
  client: Client,
  body: Body,
  isStream: boolean | null | undefined,
  { signal }: Pick<ModelRequest, "signal">,
  onChunk: ResponsesOptions["onChunk"],
): Promise<Response> {
  if (!isStream) return client.responses.create(body, { signal });
  const events = await client.responses.create({ ...body, stream: true }, { signal });
  const response = (await joined(events, new Pieces(), onChunk, signal)) as Response;
  // The client sets `output_text` only in responses that are not streamed.
  return { ...response, output_text: read(response)?.text ?? "" };
}

function failure(response: Response): Error {
  const { status, error } = response ?? {};
  return noReply(`the response ${status ?? "has no output"}${error ? `: ${error.code}: ${error.message}` : ""}`);
}

/** The data of the run that a request is built from. */
export type ResponsesRequest = { tools: Tool[] } & Pick<ModelRequest, "systemPrompt" | "session" | "step">;

/**
 * Returns the parameters of one request: with the tools, and with the prompt section after your program's instructions. A
 * `tool_choice` that forces a call is sent only in the first request of a run: if it were sent in every request, no run
 * would end. If there are more tools than the vendor allows, the session evicts the least recently used tools.
 *
 * @throws ToolSiftError `limit_out_of_range` if the tools that are always sent are more than the vendor allows
 */
export function responsesRequest(params: ResponsesParams, request: ResponsesRequest, options: MaxTools = {}): Body {
  const { stream: _, input, tool_choice, tools: __, parallel_tool_calls, ...others } = params;
  const own = ownTools(params, request);
  const tools = [...own, ...fitted(request.tools, own.length, request.session, limitOf("openai", options), nameOf)];
  const isKept = isKeptByVendor(params);
  const { instructions, input: prompted } = withPrompt({ ...params, isKept }, request.systemPrompt);
  // The vendor stores the section with the first input of a run, like every message.
  const given = isKept && request.step > 1 ? input : (prompted ?? input);
  const body = { ...others, ...(instructions !== undefined && { instructions }), input: [...given] };
  // The API refuses parameters about tools in a request without tools.
  if (tools.length === 0) return body;
  const choice = request.step > 1 ? (freed(tool_choice) as typeof tool_choice) : tool_choice;
  return {
    ...body,
    tools,
    ...(choice === undefined ? {} : { tool_choice: choice }),
    ...(parallel_tool_calls === undefined ? {} : { parallel_tool_calls }),
  };
}

type Tools = Pick<ResponsesParams, "tools">;
type Sending = Pick<ResponsesRequest, "tools" | "session">;

/** Returns your program's tools that are sent in addition to the session's. */
function ownTools({ tools }: Tools, request: Sending): Tool[] {
  return beside(tools ?? [], request, nameOf);
}

/**
 * Returns the server of each of your program's tools, by its key. A namespace with the name of a catalog's server gets no
 * tools of that server. A call whose namespace has the tool's own name looks like a call of a tool without a namespace.
 */
function ownServers(params: Tools, request: Sending): Map<string, ItemCall["own"]> {
  const servers = new Map<string, ItemCall["own"]>();
  const own = ownTools(params, request);
  const catalog = own.some(({ type }) => type === "namespace") ? request.session.tools() : [];
  for (const tool of own) {
    if (tool.type !== "namespace") {
      const name = nameOf(tool);
      if (name !== undefined) servers.set(keyOf({ name }), { server: null });
      continue;
    }
    const server = tool.name;
    for (const { name } of tool.tools) {
      const isAlone = name === server;
      const isCatalogs = catalog.some((one) =>
        one.server === server ? one.originalName === name || one.name === name : isAlone && one.name === name,
      );
      if (!isCatalogs) servers.set(keyOf({ name, namespace: isAlone ? undefined : server }), { server });
    }
  }
  return servers;
}
