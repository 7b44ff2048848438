/**
 * Serves clients that use a vendor's own tool search with a backend that does not have it. Their requests are rewritten to
 * ordinary tools. Then toolsift's search replaces a hosted search. A client that searches itself gets only the tools that it
 * has loaded.
 */

import { fieldsOf, objectsIn, textIn, type Fields } from "../../wire/fields.js";
import { isSearch, refers, searches, isQuestion, isReference, namesIn } from "../../wire/anthropic-search.js";
import { textOfBody } from "../../base/bodies.js";
import { parsed } from "../../base/values.js";
import { REPLY } from "../failures.js";
import { downwards } from "../headers.js";
import type { LoadedTools } from "../states.js";
import { isStream } from "../typed.js";
import { translatedResponses } from "./responses.js";
import { type Translated, backendTool, foundText } from "./shared.js";

/** The vendors' own hosts, which have tool search. */
const HOSTS = {
  anthropic: /(^|\.)(anthropic\.com|amazonaws\.com)$|(^|-)aiplatform\.googleapis\.com$/,
  "openai-responses": /(^|\.)openai(\.azure)?\.com$/,
};
/** Texts in a request that uses tool search, or in whose conversation it was used. */
const SIGNS = {
  anthropic: ["defer_loading", "tool_search_tool_", "tool_reference"],
  "openai-responses": ["defer_loading", "tool_search", "additional_tools", "namespace"],
};
/** The beta headers of Anthropic's tool search, which some gateways refuse. */
const BETAS = /^(advanced-tool-use|tool-search-tool)-/;

type Format = keyof typeof SIGNS;

/** The parts of a client's request that the emulation reads. */
export interface ClientRequest {
  format: string;
  url: URL;
  text: string;
  /** The text without a tool list that is known to use nothing of the vendor's tool search. */
  textToScan: string;
}

/**
 * Rewrites a request that uses the vendor's tool search to one that does not; undefined for all other requests.
 *
 * @param loaded returns the tools that a conversation, or a conversation up to a stored reply, has loaded
 */
export async function emulated(
  mode: boolean | "auto",
  { format, url, text, textToScan }: ClientRequest,
  loaded: (id: string | undefined) => Promise<LoadedTools>,
): Promise<Translated | undefined> {
  if (mode === false || !isKnown(format)) return undefined;
  if (!SIGNS[format].some((sign) => textToScan.includes(`"${sign}`))) return undefined;
  const body = fieldsOf(parsed(text));
  if (!uses(format, body)) return undefined;
  if (mode === "auto" && isVendor(format, url, textIn(body["model"]))) return undefined;
  return format === "anthropic" ? translatedMessages(body) : translatedResponses(body, loaded);
}

const isKnown = (format: string): format is Format => Object.hasOwn(SIGNS, format);

/** Checks if a request contains anything that a backend without tool search would not know. */
function uses(format: Format, { tools, messages, input }: Record<string, unknown>): boolean {
  const isOurs = (type: unknown) => textIn(type)?.startsWith("tool_search") === true;
  const listed = objectsIn(tools);
  if (listed.some((tool) => tool["defer_loading"] === true || isSearch(tool) || isOurs(tool["type"]))) return true;
  if (format === "anthropic") return objectsIn(messages).some(({ content }) => objectsIn(content).some(refers));
  if (listed.some(({ type }) => type === "namespace")) return true;
  return objectsIn(input).some(({ type }) => isOurs(type) || type === "additional_tools");
}

/** Checks if the request goes to the vendor itself, for a model with tool search. */
function isVendor(format: Format, { hostname }: URL, model: string | undefined): boolean {
  return HOSTS[format].test(hostname) && (format !== "anthropic" || model === undefined || searches(model));
}

/** Removes the beta headers of tool search from a request. */
export function withoutBetas(headers: Headers): void {
  const given = headers.get("anthropic-beta");
  if (given === null) return;
  const kept = given.split(",").filter((beta) => !BETAS.test(beta.trim()));
  if (kept.length === 0) headers.delete("anthropic-beta");
  else headers.set("anthropic-beta", kept.join(","));
}

/** Rewrites an answer of the upstream for the client: its JSON, or each event of its stream. */
export async function shown(response: Response, { reply, stream, saved }: Translated, most: number): Promise<Response> {
  if (!response.ok || response.body === null || reply === undefined) return response;
  if (stream !== undefined && isStream(response)) return downwards(response, response.body.pipeThrough(stream(most)));
  const text = await textOfBody(response.body, most, REPLY);
  const value = parsed(text);
  const written = value === undefined ? text : JSON.stringify(reply(fieldsOf(value)));
  await saved?.();
  return downwards(response, written);
}

/** Rewrites the request to ordinary tools. Replies need no change. */
export function translatedMessages({ messages, tools, tool_choice, ...others }: Fields): Translated {
  const loaded = new Set<string>();
  const written = Array.isArray(messages) ? messages.flatMap((message) => translated(fieldsOf(message), loaded)) : messages;
  const listed = objectsIn(tools);
  const choice = fieldsOf(tool_choice);
  const searches = listed.filter(isSearch);
  const isChosen = choice["type"] === "tool";
  const isSearchChosen = isChosen && searches.some((tool) => nameOf(tool) === choice["name"]);
  if (isChosen) loaded.add(String(choice["name"]));
  const own = listed.filter((tool) => !searches.includes(tool));
  const eager = own.filter((tool) => tool["defer_loading"] !== true);
  const deferred = new Map(own.filter((tool) => tool["defer_loading"] === true).map((tool) => [nameOf(tool), tool]));
  const found = [...loaded].map((name) => deferred.get(name)).filter((tool) => tool !== undefined);
  // Without a search tool of the vendor, the client searches itself.
  const sent = searches.length > 0 ? own : [...eager, ...found];
  const text = JSON.stringify({
    ...others,
    messages: written,
    ...(sent.length > 0 && { tools: sent.map(backendTool) }),
    // The API refuses `tool_choice` without tools.
    ...(sent.length > 0 && tool_choice !== undefined && !isSearchChosen && { tool_choice }),
  });
  return { text, always: searches.length > 0 ? [...eager, ...found].map(nameOf) : undefined };
}

const nameOf = ({ name }: Fields) => String(name);

/** Removes the vendor's searches from a message, and replaces references by text. Returns no message if nothing is left. */
function translated(message: Fields, loaded: Set<string>): Fields[] {
  const { content } = message;
  if (!Array.isArray(content)) return [message];
  const blocks = objectsIn(content).flatMap((block) => {
    const names = namesIn(block);
    if (isQuestion(block)) return [];
    for (const name of names) loaded.add(name);
    if (block["type"] === "tool_search_tool_result") return [];
    if (names.length === 0) return [withoutCaller(block)];
    const others = objectsIn(block["content"]).filter((part) => !isReference(part));
    return [{ ...block, content: [{ type: "text", text: foundText(names) }, ...others] }];
  });
  return blocks.length === 0 && content.length > 0 ? [] : [{ ...message, content: blocks }];
}

/** Removes the caller of a call: only calls from the vendor's sandbox need it. */
function withoutCaller(block: Fields): Fields {
  const { caller, ...others } = block;
  return block["type"] === "tool_use" && fieldsOf(caller)["type"] === "direct" ? others : block;
}
