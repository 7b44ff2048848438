/** Answers calls in one message, in their order. Where tools are deferred, an answer refers to the tools that it loaded. */

import type Anthropic from "@anthropic-ai/sdk";
import type { Answer, Session } from "../index.js";
import { partsWithImages } from "./images.js";
import { reference } from "./anthropic-references.js";

type Result = Anthropic.ToolResultBlockParam;
type Content = Exclude<Result["content"], string | undefined>;

/** Where the answers go, on the roads that defer tools. */
export interface AnswersTo {
  session: Session;
  /** The message that made the calls. */
  message: Pick<Anthropic.Message, "content">;
}

/**
 * The message that answers all calls of a reply.
 *
 * @param deferring where the request deferred its tools. What a call revealed is referred to then, which makes the API
 * load it. The API is not known to take text beside a reference in one result: the text follows behind the results.
 */
export function messagesAnswers(answers: readonly Answer[], deferring?: AnswersTo): Anthropic.UserMessageParam {
  const parts = answers.map((answer) => answered(answer, deferring));
  return { role: "user", content: [...parts.map(({ result }) => result), ...parts.flatMap(({ text }) => text)] };
}

function answered(answer: Answer, deferring?: AnswersTo): { result: Result; text: Anthropic.TextBlockParam[] } {
  const { content, isError } = answer;
  const about = { type: "tool_result" as const, tool_use_id: answer.call.id ?? "" };
  const names = deferring === undefined ? [] : revealedBy(answer, deferring.session);
  const open = deferring !== undefined && isOpen(deferring.message);
  // Text behind the results would end a turn in which the API has still work to do; an error says more than a reference.
  if (names.length > 0 && !(open && isError)) {
    const text = open ? [] : textBlocks(content);
    return { result: { ...about, content: names.map(reference) }, text };
  }
  const said = contentOf(answer);
  const result = { ...about, ...(said === "" ? {} : { content: said }), ...(isError ? { is_error: true } : {}) };
  return { result, text: [] };
}

/** The tools that a search or an early call revealed. */
function revealedBy({ call, outcome }: Answer, session: Session): string[] {
  if (outcome.kind === "result") return outcome.revealed;
  const isEarly = outcome.kind === "refused" && outcome.error.code === "tool_not_revealed";
  return isEarly && session.revealed.includes(call.name) ? [call.name] : [];
}

/** Whether a server's tool was called in the same turn and is still to be run, which happens with the next request. */
function isOpen({ content }: AnswersTo["message"]): boolean {
  const answered = new Set(content.map((block) => ("tool_use_id" in block ? block.tool_use_id : undefined)));
  return content.some((block) => block.type === "server_tool_use" && !answered.has(block.id));
}

/** Errors are text only, says the API. */
function contentOf(answer: Answer): string | Content {
  const parts = partsWithImages(answer);
  if (parts === undefined) return answer.content;
  return parts.flatMap((part): Content => {
    if (typeof part === "string") return textBlocks(part);
    return [{ type: "image", source: { type: "base64", media_type: part.mimeType, data: part.data } }];
  });
}

/** The API refuses empty blocks. */
function textBlocks(text: string): Anthropic.TextBlockParam[] {
  return text.trim() === "" ? [] : [{ type: "text", text }];
}
