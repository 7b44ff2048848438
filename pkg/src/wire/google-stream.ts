/** Joins the chunks of a stream into one response: all parts in their order, and the last value of every other field. */

import type { Candidate, GenerateContentResponse, Part } from "@google/genai";
import { objectsIn } from "./reply.js";

/**
 * The chunks of `generateContentStream` as the one response that `generateContent` would have given. Texts that follow
 * each other become one part; a part that carries more, such as a thought signature, stays as it came.
 */
export function googleJoined(chunks: readonly GenerateContentResponse[]): GenerateContentResponse {
  const all = objectsIn("chunks", chunks);
  // Made from a chunk's prototype, so that it has the SDK's getters without the SDK being loaded.
  const response: GenerateContentResponse = Object.create(Object.getPrototypeOf(all.at(-1) ?? {}));
  Object.assign(response, ...all);
  const choices = all.flatMap((chunk) => objectsIn("candidates", chunk.candidates));
  const candidates = choices.filter(({ index = 0 }) => index === 0);
  if (candidates.length === 0) return response;
  const contents = candidates.flatMap(({ content }) => content ?? []);
  const candidate: Candidate = Object.assign({}, ...candidates);
  if (contents.length > 0) {
    const parts = contents.flatMap(({ parts }) => objectsIn("parts", parts));
    candidate.content = { ...contents[0], parts: parts.reduce<Part[]>(joinPart, []) };
  }
  response.candidates = [candidate];
  return response;
}

function joinPart(parts: Part[], part: Part): Part[] {
  const last = parts.at(-1);
  if (last !== undefined && isText(last) && isText(part) && last.thought === part.thought) {
    parts[parts.length - 1] = { ...last, text: `${last.text}${part.text}` };
  } else if (!isText(part) || part.text !== "") {
    parts.push(part);
  }
  return parts;
}

/** Whether a part is text and nothing else. */
function isText(part: Part): part is Part & { text: string } {
  return typeof part.text === "string" && Object.keys(part).every((key) => key === "text" || key === "thought");
}
