/** Runs the loop of the Responses API: items go in and come out, kept by the host or by the vendor. */

import type OpenAI from "openai";
import { requireMethods } from "../../base/checks.js";
import { ToolSiftError } from "../../base/errors.js";
import type { Answer, Model, ModelReply, ModelRequest } from "../../index.js";
import { aFunction, type Shape, shaped } from "../../base/shape.js";
import { fitted, limitOf, MAX_TOOLS, type MaxTools } from "../../wire/limits.js";
import { callsIn, type ItemCall, freed, keyOf, nameOf, Pieces, read, withPrompt } from "../../wire/openai-responses.js";
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
 * What the model is asked with. Where the host keeps the conversation, `input` is all of it, and grows. Where the
 * vendor does (`previous_response_id` or `conversation`), `input` is what the vendor does not have yet: it is emptied
 * once it was sent and answered, and `previous_response_id` moves on.
 */
export type ResponsesParams = Omit<Sent, "stream" | "input"> & { input: Input[]; stream?: boolean | null };

/** The model's reply. */
export interface ResponsesReply extends ModelReply {
  /** The text of the reply; empty where there is none. */
  text: string;
  response: Response;
}

/** Options of `responsesModel`. */
export interface ResponsesOptions extends MaxTools, DeferLoading {
  /** With `stream: true`, is given every event as it arrives. */
  onChunk?: ((event: Event) => void) | undefined;
}

/**
 * A model behind the Responses API, for `runTools`.
 *
 * ```ts
 * const model = responsesModel(new OpenAI(), { model: "gpt-5.4", input });
 * await runTools(session, { ...model, execute });
 * ```
 *
 * @param params those of `client.responses.create`. Tools of your own in them stand before the session's; calls to them
 * come to `execute` too, with `server: null` or the name of their namespace.
 * @throws ToolSiftError `option_invalid`, `option_unknown`, `option_conflict`. `send` throws what the client throws,
 * `reply_invalid` for a response that failed, and `option_conflict` where a tool of your own is called as a discovery tool
 * is, or where the session's settings do not go with `deferLoading`.
 */
export function responsesModel(
  client: Client,
  params: ResponsesParams,
  options?: ResponsesOptions,
): Model<ResponsesReply, "openai-responses"> {
  const { onChunk, maxTools, deferLoading = false } = checked(client, params, options ?? {});
  /** With `deferLoading`, the definitions in the part of the conversation that the vendor keeps, as far as this run knows. */
  let before: Definitions = new Map();
  let toItems: (answers: readonly Answer[]) => object[] = () => [];
  /** Takes the last reply into the conversation: with its answers, so that no call stands without. */
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
  // As the client gives it for responses that are not streamed.
  return { ...response, output_text: read(response)?.text ?? "" };
}

function failure(response: Response): Error {
  const { status, error } = response ?? {};
  return noReply(`the response ${status ?? "has no output"}${error ? `: ${error.code}: ${error.message}` : ""}`);
}

/** The data of one request. */
export type ResponsesRequest = { tools: Tool[] } & Pick<ModelRequest, "systemPrompt" | "session" | "step">;

/**
 * The parameters of one request: with the tools, and the prompt section behind the host's own instructions. A
 * `tool_choice` that demands a call holds for the first request of a run: with it in all of them no run would end. Where the
 * vendor takes fewer tools than there are, the session evicts the least recently used ones.
 *
 * @throws ToolSiftError `limit_out_of_range` where the tools that are always there are more than the vendor takes
 */
export function responsesRequest(params: ResponsesParams, request: ResponsesRequest, options: MaxTools = {}): Body {
  const { stream: _, input, tool_choice, tools: __, parallel_tool_calls, ...others } = params;
  const own = ownTools(params, request);
  const tools = [...own, ...fitted(request.tools, own.length, request.session, limitOf("openai", options), nameOf)];
  const isKept = isKeptByVendor(params);
  const { instructions, input: prompted } = withPrompt({ ...params, isKept }, request.systemPrompt);
  // The vendor keeps the section that stands in the first input of a run, as every message.
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

/** The host's tools that are sent beside the session's. */
function ownTools({ tools }: Tools, request: Sending): Tool[] {
  return beside(tools ?? [], request, nameOf);
}

/**
 * Under which server each of the host's own tools runs. A namespace called as a server of the catalog does not open that
 * server's tools; a call whose namespace has the tool's own name looks like that of a tool which stands alone.
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
