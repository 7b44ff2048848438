/** Reads replies and writes answers in the types of Anthropic's SDK, for loops of a host's own. */

import type Anthropic from "@anthropic-ai/sdk";
import type { Answer, ModelCall, Session, VendorSearch } from "../../index.js";
import { answersOf, callsIn, searchesIn } from "../../wire/anthropic.js";

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
  return answersOf(answers, deferring)[0]!;
}

/**
 * The calls of a reply that the host is to answer. Where the reply was cut off in the middle of a call, its arguments
 * may be half of what was meant, and look whole: it is refused.
 */
export function messagesCalls(message: Pick<Anthropic.Message, "content" | "stop_reason">): ModelCall[] {
  return callsIn(message);
}

/**
 * What Anthropic's own search found in a reply. A search that was not over when the calls were made is answered at the
 * beginning of the next reply; `asked` are the messages in which its question stands then.
 */
export function messagesSearches(
  message: Pick<Anthropic.Message, "content">,
  messages: readonly Anthropic.MessageParam[] = [],
): VendorSearch[] {
  return searchesIn(message, messages);
}
