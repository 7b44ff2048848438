/** Writes a server's question for a client: with the server's name, in words that hide nothing, and bounded. */

import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/client";
import { foreign, foreignError } from "../trust/foreign.js";
import { neutralIn } from "../trust/inspect.js";
import type { ServerRequest } from "./upstream.js";

/** A question to a person. */
const MESSAGE_CHARS = 4_000;
/** All of a question: one to the client's model may hold pictures. */
const ELICITATION_CHARS = 100_000;
const SAMPLING_CHARS = 8_000_000;

/**
 * The question as the client gets it.
 *
 * @throws ProtocolError for one that is too long, or that sends the user to what is no web page
 */
export function attributed(server: string, { method, params }: ServerRequest): ServerRequest {
  if (method === "roots/list") return { method };
  const name = JSON.stringify(foreign(server, 80, "line"));
  const most = method === "sampling/createMessage" ? SAMPLING_CHARS : ELICITATION_CHARS;
  const { length } = JSON.stringify(params) ?? "";
  if (length > most) throw refused(`${method} of ${name} has ${length} characters; at most ${most}`);
  const given = neutralIn(Object(params) as Record<string, unknown>);
  if (method === "sampling/createMessage") {
    // What the client calls its context may be that of every server: to the client the gateway is one.
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

/** An answer that asks before it is one, as servers of the newer protocol give it, with its questions as the client gets them. */
export function withQuestions(server: string, result: unknown, most: number): unknown {
  const { resultType, inputRequests } = Object(result) as { resultType?: unknown; inputRequests?: unknown };
  if (resultType !== "input_required") return result;
  const questions = Object.entries(Object(inputRequests) as Record<string, ServerRequest>);
  if (questions.length > most)
    throw refused(`${JSON.stringify(server)} asks ${questions.length} questions at once; at most ${most}`);
  const shown = questions.map(([key, question]) => [key, { ...question, ...attributed(server, question) }] as const);
  return { ...(result as object), inputRequests: Object.fromEntries(shown) };
}

/** An error of a server as the client gets it: its text is quoted, and pages that it sends the user to first are as in questions. */
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
