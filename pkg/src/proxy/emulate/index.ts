/** The vendors' own tool search, for clients that speak it, before backends that do not have it. */

import { ToolSiftError } from "../../errors.js";
import { searches } from "../../wire/anthropic-models.js";
import { refers } from "../../wire/anthropic-references.js";
import type { Clock } from "../clock.js";
import { fieldsOf, objectsIn, textIn } from "../../wire/fields.js";
import { whenAborted } from "../../signals.js";
import { streamFailure } from "../failures.js";
import { costHeaders, downwards } from "../headers.js";
import { elementsOf, JsonText } from "../json-text.js";
import type { ProxySettings } from "../options.js";
import { hashed, whose } from "../states.js";
import type { Cost } from "../../types.js";
import type { Wire } from "../wire.js";
import { Finder } from "./finder.js";
import { MessagesConversation } from "./messages.js";
import { type Memory, Remembered } from "./remembered.js";
import { ResponsesConversation } from "./responses.js";
import { emulate } from "./run.js";
import { parsedJson } from "./shared.js";
import type { Conversation } from "./types.js";

/** The vendors' own addresses, where tool search is there already. */
const HOSTS = {
  anthropic: /(^|\.)(anthropic\.com|amazonaws\.com)$|(^|-)aiplatform\.googleapis\.com$/,
  "openai-responses": /(^|\.)openai(\.azure)?\.com$/,
};
/** What a request says that uses tool search, or whose conversation did. */
const SIGNS = {
  anthropic: ["defer_loading", "tool_search_tool_", "tool_reference"],
  "openai-responses": ["defer_loading", "tool_search", "additional_tools", "namespace"],
};
/** The beta headers of Anthropic's tool search, which gateways may refuse. */
const BETAS = /^(advanced-tool-use|tool-search-tool)-/;

type Format = keyof typeof SIGNS;

/** A client's request, as far as the emulation reads it. */
export interface ClientRequest {
  format: string;
  url: URL;
  text: string;
  headers: Headers;
  /** The text without a list of tools that is known to have nothing of the vendor's tool search. */
  unknown: string;
}

/** How one request is led. */
export interface Led {
  wire: Wire;
  clock: Clock;
  /** Ends with the client's request, and when the time is over. */
  signal: AbortSignal;
  send(body: string, signal: AbortSignal, change: (headers: Headers) => void): Promise<Response>;
  /** Is called once, when the request ends in any way. */
  ended(about: Ended): void;
}

/** How a request ended, and what it cost. */
export interface Ended {
  outcome: "done" | "upstream_error" | "failed" | "aborted";
  model: string | undefined;
  stream: boolean;
  requests: number;
  full: Cost;
  sent: Cost;
  rankerVersion: string;
}

/** One request that is emulated. */
export interface Emulated {
  conversation: Conversation;
  body: object;
}

/** Emulates tool search for the clients of one proxy. */
export class Emulation {
  readonly #settings: ProxySettings;
  readonly #finder: Finder;
  readonly #remembered = new Remembered();

  constructor(settings: ProxySettings) {
    this.#settings = settings;
    this.#finder = new Finder(settings.maxCatalogs);
  }

  /** What leads a request that uses the vendor's tool search; undefined for all others. */
  async of({ format, url, headers, text, unknown }: ClientRequest): Promise<Emulated | undefined> {
    const { emulate: mode } = this.#settings;
    if (mode === false || !isKnown(format) || !SIGNS[format].some((sign) => unknown.includes(`"${sign}`))) return undefined;
    const body = parsedJson(text);
    const remembered = this.#remembered.for(await hashed(JSON.stringify(whose(headers, url.searchParams))));
    if (body === undefined || !uses(format, body, remembered)) return undefined;
    if (mode === "auto" && isVendor(format, url, textIn(fieldsOf(body)["model"]))) return undefined;
    const conversation =
      format === "anthropic"
        ? new MessagesConversation(body, this.#finder)
        : new ResponsesConversation(body, this.#finder, remembered);
    return { conversation, body };
  }

  /** Asks the backend how many tokens the request has. */
  async count(
    { conversation }: Emulated,
    { signal, send }: Pick<Led, "send"> & { signal: AbortSignal | undefined },
  ): Promise<Response> {
    return downwards(await send(conversation.body(false), signal ?? new AbortController().signal, withoutBetas));
  }

  /** Leads a request to its end. */
  async answer({ conversation, body }: Emulated, { wire, clock, signal, send, ended }: Led): Promise<Response> {
    const { maxRounds, maxReplyBytes } = this.#settings;
    const control = new AbortController();
    const leave = whenAborted(signal, () => control.abort(signal.reason));
    const tools = JSON.stringify(objectsIn(fieldsOf(body)["tools"]));
    const rankerVersion = this.#finder.version();
    const cost = { active: true, requests: 0, full: costOf(tools), sent: costOf("[]"), rankerVersion };
    let isEnded = false;
    return emulate({
      conversation,
      maxRounds,
      maxReplyBytes,
      signal: control.signal,
      wait: (work) => clock.wait(work),
      send: async (text) => {
        cost.requests += 1;
        cost.sent = costOf(JsonText.of(text)?.raw("tools") ?? "[]");
        const response = await clock.wait(() => send(text, control.signal, withoutBetas));
        return response.ok ? response : downwards(response);
      },
      answer: (given, response) => downwards(response, given, costHeaders(cost, clock)),
      failure: (error) => streamFailure(wire, error, signal),
      stop: () => control.abort(),
      end: (outcome) => {
        if (isEnded) return;
        isEnded = true;
        leave();
        const { active: _, ...others } = cost;
        const isAborted = outcome === "failed" && signal.aborted && !ToolSiftError.is(signal.reason);
        const model = textIn(fieldsOf(body)["model"]);
        ended({ ...others, outcome: isAborted ? "aborted" : outcome, model, stream: conversation.stream });
      },
    });
  }
}

const isKnown = (format: string): format is Format => Object.hasOwn(SIGNS, format);

/** Whether a request has anything that a backend without tool search would not know. */
function uses(format: Format, body: unknown, remembered: Memory): boolean {
  const { tools, messages, input, previous_response_id } = fieldsOf(body);
  if (objectsIn(tools).some(({ type, defer_loading }) => defer_loading === true || isSearch(type) || type === "namespace")) {
    return true;
  }
  if (format === "anthropic") {
    return objectsIn(messages).some(({ content }) => objectsIn(content).some(refers));
  }
  if (remembered.of(textIn(previous_response_id)) !== undefined) return true;
  return objectsIn(input).some(({ type }) => isSearch(type) || type === "additional_tools");
}

const isSearch = (type: unknown) => typeof type === "string" && type.startsWith("tool_search");

/** Whether the vendor itself is asked, for a model that searches. */
function isVendor(format: Format, { hostname }: URL, model: string | undefined): boolean {
  return HOSTS[format].test(hostname) && (format !== "anthropic" || model === undefined || searches(model));
}

function withoutBetas(headers: Headers): void {
  const given = headers.get("anthropic-beta");
  if (given === null) return;
  const kept = given.split(",").filter((beta) => !BETAS.test(beta.trim()));
  if (kept.length === 0) headers.delete("anthropic-beta");
  else headers.set("anthropic-beta", kept.join(","));
}

/** The cost of a list of tools, at four characters for a token. */
function costOf(text: string): Cost {
  return {
    tools: elementsOf(text)?.length ?? 0,
    bytes: new TextEncoder().encode(text).length,
    tokens: Math.ceil(text.length / 4),
  };
}
