/** Runs the loop of the Responses API: items go in and come out, kept by the host or by the vendor. */

import type OpenAI from "openai";
import { requireMethods, listOf } from "../../base/checks.js";
import { ToolSiftError } from "../../base/errors.js";
import type { Answer, Model, ModelReply, ModelRequest } from "../../index.js";
import { aFunction, oneNameOf, type Shape, shaped } from "../../base/shape.js";
import { kind } from "../../base/values.js";
import { fitted, limitOf, MAX_TOOLS, type MaxTools } from "../../wire/limits.js";
import {
  answersOf,
  callsIn,
  freed,
  keyOf,
  nameOf,
  Pieces,
  read,
  TOOL_SEARCH,
  withPrompt,
} from "../../wire/openai-responses.js";
import { joined, noReply } from "../../wire/reply.js";
import { exclusive } from "../lib/exclusive.js";
import { conversationIn, toolsIn, wrong } from "../lib/params.js";
import { ownServers, ownTools } from "./own-tools.js";
import { type Additions, type GivenTools, givenIn, part, renamed, update } from "./tool-search.js";

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
  /** With `toolSearch: "client"`, the names of the tools whose definitions the conversation holds. */
  given: string[];
}

/** Options of `responsesModel`. */
export interface ResponsesOptions extends MaxTools {
  /**
   * `"client"`: the model searches with the vendor's own `tool_search`, which the session answers; what is revealed
   * comes by value in the conversation, and the tools of the requests never change. `"none"`, the default: discovery
   * tools are functions, and what is revealed is appended to the tools.
   */
  toolSearch?: "client" | "none" | undefined;
  /** How tools join the conversation that no search of the model revealed. Default `"tool_search"`. */
  additions?: Additions | undefined;
  /** Where the vendor keeps the conversation: `given` of the last reply. Without it, these tools are given again. */
  given?: readonly string[] | undefined;
  /** With `stream: true`, is given every event as it arrives. */
  onChunk?: ((event: Event) => void) | undefined;
}

/**
 * A model behind the Responses API, for `runTools`.
 *
 * ```ts
 * const model = responsesModel(new OpenAI(), { model: "gpt-5.4", input }, { toolSearch: "client" });
 * await runTools(session, { ...model, execute });
 * ```
 *
 * @param params those of `client.responses.create`. Tools of your own in them stand before the session's; calls to them
 * come to `execute` too, with `server: null` or the name of their namespace.
 * @throws ToolSiftError `option_invalid`, `option_unknown`, `option_conflict`. `send` throws what the client throws,
 * `reply_invalid` for a response that failed, and `option_conflict` where a tool of your own is called as a discovery tool
 * is, or where the session's profile does not go with `toolSearch`.
 */
export function responsesModel(
  client: Client,
  params: ResponsesParams,
  options?: ResponsesOptions,
): Model<ResponsesReply, "openai-responses"> {
  const { onChunk, toolSearch, additions, given = [], maxTools } = checked(client, params, options ?? {});
  let before: GivenTools = new Map(given.map((name) => [name, undefined]));
  let search: string | undefined;
  /** Takes the last reply into the conversation: with its answers, so that no call stands without. */
  let take: (answers: readonly Input[]) => void = () => {};
  return {
    format: "openai-responses",
    conversation: params,
    begin: exclusive("input", params),
    send: async (request) => {
      const own = ownServers(params, request);
      const isClients = toolSearch === "client";
      const parts = isClients ? toolSearchRequest(params, request, { additions, before, maxTools }) : undefined;
      search = parts?.search;
      const body = parts?.body ?? responsesRequest(params, request, { maxTools });
      const sent = params.input.length;
      const response = await ask(client, body, params.stream, request, onChunk);
      const reply = read(response);
      if (reply === undefined) throw failure(response);
      const made = callsIn(response.output, search, response.status);
      const calls = made.map((call) => ({ ...call, own: own.get(keyOf(call)) }));
      const items = reply.messages as Input[];
      take = (answers) => {
        const { input } = params;
        if (!isKeptByVendor(params)) return void input.push(...items, ...answers);
        before = givenIn([...input, ...items], before);
        input.splice(0, sent, ...answers);
        if (hasNone(params.conversation)) params.previous_response_id = response.id;
      };
      if (calls.length === 0) take([]);
      return { calls, text: reply.text, response, given: [...givenIn(params.input, before).keys()] };
    },
    answered: (answers) => {
      take(answersOf(answers.map((answer) => withSearchName(answer, search))) as Input[]);
    },
  };
}

const OPTIONS: Shape<ResponsesOptions> = {
  ...MAX_TOOLS,
  toolSearch: oneNameOf("client", "none"),
  additions: oneNameOf("tool_search", "additional_tools"),
  given(_, given) {
    const names = listOf("options.given", given as readonly unknown[]);
    if (names.every((name) => typeof name === "string")) return;
    throw wrong(`options.given is ${kind(given)}; it must be a list of names`);
  },
  onChunk: aFunction,
};

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
  const searches = params.tools?.some((tool) => tool.type === TOOL_SEARCH || nameOf(tool) === TOOL_SEARCH);
  if (valid.toolSearch === "client" && searches) {
    throw new ToolSiftError("option_conflict", 'params.tools has a tool_search, and toolSearch: "client" brings one');
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

/** What a request with the vendor's own search is made of: its tools are those that the session assembled. */
export type ToolSearchRequest = Pick<ModelRequest<"openai-responses">, "tools" | "systemPrompt" | "session" | "step">;

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

/**
 * The parameters of a request in which the model searches with the vendor's own tool. `params.input` is brought up to
 * what is revealed.
 *
 * @param options `before`: what the conversation holds that is not in `params.input`, by name
 * @returns the parameters, and the discovery tool that `tool_search` stands for
 * @throws ToolSiftError `option_conflict` under settings that load nothing, or that send tools before they are loaded
 */
export function toolSearchRequest(
  params: ResponsesParams,
  request: ToolSearchRequest,
  options: { additions?: Additions | undefined; before?: GivenTools } & MaxTools = {},
): { body: Body; search: string | undefined } {
  const { additions = "tool_search", before = new Map(), maxTools } = options;
  const { search, standing, revealed } = part(request);
  update(params.input, revealed, before, additions);
  const systemPrompt = renamed(request.systemPrompt, search);
  return { body: responsesRequest(params, { ...request, tools: standing, systemPrompt }, { maxTools }), search };
}

/** What discovery tools and refusals say names the search; real tools' answers stay as they are. */
function withSearchName(answer: Answer, search: string | undefined): Answer {
  return answer.outcome.kind === "dispatch" ? answer : { ...answer, content: renamed(answer.content, search) };
}
