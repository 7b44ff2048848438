/** Leads the rounds of `doGenerate`. */

import { endOf, rounds } from "../../loop/rounds.js";
import { summed } from "../../wire/usage.js";
import type { Exchange } from "./exchange.js";
import type { Call, Content, GenerateResult, Model, Usage } from "./types.js";

/** The reply of the last round, with the texts of the rounds before it and what all of them used. */
export async function generated(model: Model, exchange: Exchange): Promise<GenerateResult> {
  const before: Content[] = [];
  let usage: unknown;
  const settle = async (result: GenerateResult): Promise<GenerateResult | undefined> => {
    usage = summed(usage, result.usage);
    const { handed, isFinal, isCut } = await exchange.settle(result.content);
    if (!isFinal) {
      before.push(...hostContent(result.content));
      return undefined;
    }
    const content = markedLast(exchange, [...before, ...withHandedCalls(result.content, handed)]);
    const finishReason = isCut ? { ...result.finishReason, unified: "other" as const } : result.finishReason;
    return { ...result, content, usage: usage as Usage, finishReason };
  };
  try {
    return await endOf(rounds(() => model.doGenerate(exchange.request()), settle));
  } finally {
    exchange.close();
  }
}

const isOurs = (part: Content): part is Call => part.type === "tool-call" && part.providerExecuted !== true;

/** A reply with the calls that are the host's, each in its place. */
function withHandedCalls(content: readonly Content[], handed: readonly Call[]): Content[] {
  const byId = new Map(handed.map((call) => [call.toolCallId, call]));
  return content.flatMap((part): Content[] => {
    if (!isOurs(part)) return [part];
    const call = byId.get(part.toolCallId);
    return call === undefined ? [] : [call];
  });
}

/**
 * What the host sees of a round in which the model searched. The vendor's metadata of texts would tie them to calls that the
 * messages do not have.
 */
function hostContent(content: readonly Content[]): Content[] {
  return content.flatMap((part): Content[] => {
    if (isOurs(part)) return [];
    if (part.type !== "text" && part.type !== "reasoning") return [part];
    return part.text === "" ? [] : [{ type: part.type, text: part.text }];
  });
}

/** The mark stands in the last part that AI SDK keeps the metadata of. */
function markedLast(exchange: Exchange, content: Content[]): Content[] {
  const at = content.map((part) => isOurs(part) || part.type === "text").lastIndexOf(true);
  return content.map((part, index) => (index === at ? exchange.marked(part as Call) : part));
}
