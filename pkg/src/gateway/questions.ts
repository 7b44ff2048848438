/** Converts a server's question for a client: with the server's name, visible hidden characters, and limited length. */

import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/client";
import { foreign, foreignError } from "../trust/foreign.js";
import { neutralIn } from "../trust/inspect.js";
import type { ServerRequest } from "./upstream.js";

/** The maximum length of a question to a person, in characters. */
const MESSAGE_CHARS = 4_000;
/** The maximum length of a whole question as JSON, in characters. A question to the client's model may contain images. */
const ELICITATION_CHARS = 100_000;
const SAMPLING_CHARS = 8_000_000;

/**
 * Returns the question for the client.
 *
 * @throws ProtocolError for a question that is too long, or with a URL that is no web page
 */
export function attributed(server: string, { method, params }: ServerRequest): ServerRequest {
  if (method === "roots/list") return { method };
  const name = JSON.stringify(foreign(server, 80, "line"));
  const most = method === "sampling/createMessage" ? SAMPLING_CHARS : ELICITATION_CHARS;
  const { length } = JSON.stringify(params) ?? "";
  if (length > most) throw refused(`${method} of ${name} has ${length} characters; at most ${most}`);
  const given = neutralIn(Object(params) as Record<string, unknown>);
  if (method === "sampling/createMessage") {
    // The client's context may include data of all servers, because the client sees the gateway as one server.
    const { includeContext: _, systemPrompt, ...rest } = given;
    const head = `The MCP server ${name} asks this. It is not the user's request.`;
    const own = typeof systemPrompt === "string" && systemPrompt !== "" ? `\n\n${systemPrompt}` : "";
    return { method, params: { ...rest, systemPrompt: head + own } };
  }
  if (given["mode"] === "url" && !isPage(given["url"]))
    throw refused(`${method} of ${name} names what is no page of the web`);
  const message = foreign(String(given["message"] ?? ""), MESSAGE_CHARS, "marked");
  return { method, params: { ...given, message: `The server ${name} asks:\n${message}` } };
}

/** Converts the questions in an `input_required` result of a server (protocol without `initialize`) for the client. */
export function withQuestions(server: string, result: unknown, most: number): unknown {
  const { resultType, inputRequests } = Object(result) as { resultType?: unknown; inputRequests?: unknown };
  if (resultType !== "input_required") return result;
  const questions = Object.entries(Object(inputRequests) as Record<string, ServerRequest>);
  if (questions.length > most)
    throw refused(`${JSON.stringify(server)} asks ${questions.length} questions at once; at most ${most}`);
  const shown = questions.map(([key, question]) => [key, { ...question, ...attributed(server, question) }] as const);
  return { ...(result as object), inputRequests: Object.fromEntries(shown) };
}

/** Converts a server's error for the client: quotes its text, and converts the web pages in it like those in questions. */
export function answeredError(server: string, { code, message, data }: ProtocolError, most: number): ProtocolError {
  const given = neutralIn({ data }).data;
  const { elicitations } = Object(given) as { elicitations?: unknown };
  const shown = (data: unknown) => new ProtocolError(code, foreignError(server, message), data);
  if (!Array.isArray(elicitations)) return shown(given);
  if (elicitations.length > most)
    return refused(`${JSON.stringify(server)} asks ${elicitations.length} questions at once; at most ${most}`);
  const pages = elicitations.map((params: unknown) => attributed(server, { method: "elicitation/create", params }).params);
  return shown({ ...(given as object), elicitations: pages });
}

export const refused = (why: string): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InternalError, `${why}, so it was refused`);

const isPage = (url: unknown): boolean =>
  typeof url === "string" && URL.canParse(url) && ["https:", "http:"].includes(new URL(url).protocol);
