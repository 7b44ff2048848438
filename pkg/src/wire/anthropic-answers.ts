/** Answers calls in one message, in their order. Where tools are deferred, an answer refers to the tools that it loaded. */

import type { Answer } from "../types/index.js";
import { type Fields, objectsIn } from "./fields.js";
import { type Image, partsWithImages } from "./images.js";
import { reference } from "./anthropic-references.js";

/** Where the answers go, on the roads that defer tools. */
interface AnswersTo {
  session: { readonly revealed: readonly string[] };
  /** The message that made the calls. */
  message: object;
}

/** The message that answers all calls of a reply. Text beside references stands behind the results: no result takes both. */
export function answersOf(answers: readonly Answer[], deferring?: AnswersTo) {
  const parts = answers.map((answer) => answered(answer, deferring));
  return [{ role: "user" as const, content: [...parts.map(({ result }) => result), ...parts.flatMap(({ text }) => text)] }];
}

function answered(answer: Answer, deferring?: AnswersTo) {
  const { content, isError } = answer;
  const about = { type: "tool_result" as const, tool_use_id: answer.call.id ?? "" };
  const names = deferring === undefined ? [] : revealedBy(answer, deferring.session.revealed);
  const open = deferring !== undefined && isOpen(deferring.message);
  // Text behind the results would end a turn in which the API has still work to do; an error says more than a reference.
  if (names.length > 0 && !(open && isError)) {
    const text = open ? [] : textBlocks(content);
    return { result: { ...about, content: names.map(reference) }, text };
  }
  const resultContent = contentOf(answer);
  const result = {
    ...about,
    ...(resultContent === "" ? {} : { content: resultContent }),
    ...(isError ? { is_error: true } : {}),
  };
  return { result, text: [] };
}

/** The tools that a search or an early call revealed. */
function revealedBy({ call, outcome }: Answer, revealed: readonly string[]): string[] {
  if (outcome.kind === "result") return outcome.revealed;
  const isEarly = outcome.kind === "refused" && outcome.error.code === "tool_not_revealed";
  return isEarly && revealed.includes(call.name) ? [call.name] : [];
}

/** Whether a server's tool was called in the same turn and is still to be run, which happens with the next request. */
function isOpen(message: object): boolean {
  const content = objectsIn((message as Fields)["content"]);
  const answered = new Set(content.map((block) => block["tool_use_id"]));
  return content.some((block) => block["type"] === "server_tool_use" && !answered.has(block["id"]));
}

interface Text {
  type: "text";
  text: string;
}

interface Picture {
  type: "image";
  source: { type: "base64"; media_type: Image["mimeType"]; data: string };
}

/** Errors are text only, says the API. */
function contentOf(answer: Answer): string | (Text | Picture)[] {
  const parts = partsWithImages(answer);
  if (parts === undefined) return answer.content;
  return parts.flatMap((part): (Text | Picture)[] => {
    if (typeof part === "string") return textBlocks(part);
    return [{ type: "image", source: { type: "base64", media_type: part.mimeType, data: part.data } }];
  });
}

/** The API refuses empty blocks. */
function textBlocks(text: string): Text[] {
  return text.trim() === "" ? [] : [{ type: "text", text }];
}
