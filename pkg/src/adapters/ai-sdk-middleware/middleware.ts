/** A middleware for `wrapLanguageModel`: the model searches inside one call, and the host sees calls of real tools only. */

import { AHEAD } from "../../loop/ahead.js";
import { RANKING } from "../../loop/rank.js";
import { aFunction, anObject, type Shape, shaped, wholeOf } from "../../base/shape.js";
import { limitOf, MAX_TOOLS, providerOf } from "../../wire/limits.js";
import { Catalogs, Exchange } from "./exchange.js";
import { streamed } from "./stream.js";
import type {
  CallOptions,
  FunctionTool,
  Model,
  ModelMiddleware,
  SiftModelMiddlewareOptions,
  Call,
  Content,
  GenerateResult,
  Usage,
} from "./types.js";
import { endOf, rounds } from "../../loop/rounds.js";
import { summed } from "../../wire/fields.js";

const MAX_ROUNDS = 8;
const MOST_ROUNDS = 100;
const OPTIONS: Shape<SiftModelMiddlewareOptions> = {
  ...MAX_TOOLS,
  ...RANKING,
  ...AHEAD,
  sift: anObject,
  maxRounds: wholeOf(1, MOST_ROUNDS),
  onEvent: aFunction,
};

interface Wrapped {
  model: Model;
  params: CallOptions;
  doGenerate: () => PromiseLike<unknown>;
  doStream: () => PromiseLike<unknown>;
}

/**
 * Tool search for programs whose tools and loop cannot be changed: wrap the model, and nothing else.
 *
 * ```ts
 * const model = wrapLanguageModel({ model: openai("gpt-5.4"), middleware: siftModelMiddleware() });
 * const { text } = await generateText({ model, tools: thousandsOfTools, prompt, stopWhen: stepCountIs(20) });
 * ```
 *
 * Each model call of AI SDK brings its tools. The middleware searches for the user's first message, holds back the tools that are
 * not revealed, answers calls of discovery tools itself, and then asks the model again. It writes what is revealed into the metadata of the reply, which AI
 * SDK sends back with the messages. Without this metadata, the tools that the messages call are revealed. So the middleware
 * keeps no state, and one serves any number of conversations.
 *
 * @throws ToolSiftError `option_unknown`, `option_invalid`, `limit_out_of_range`. A model call throws what the constructor
 * of `ToolSift` throws, and `name_reserved` for a tool that has the name of a discovery tool.
 * It throws `limit_out_of_range` where more tools are always there than the vendor takes.
 */
export function siftModelMiddleware(options: SiftModelMiddlewareOptions = {}): ModelMiddleware {
  const { sift = {}, maxRounds = MAX_ROUNDS, maxTools, ...others } = shaped(options, OPTIONS);
  const catalogs = new Catalogs(sift);
  const exchange = async (model: Model, params: CallOptions) => {
    const limit = limitOf(providerOf(model), { maxTools });
    const { catalog, release } = await catalogs.use(toolsIn(params));
    return new Exchange(catalog, params, { ...others, maxRounds, limit, release });
  };
  return {
    // Both versions take it: neither looks at it when it runs.
    specificationVersion: "v3",
    wrapGenerate: async ({ model, params, doGenerate }: Wrapped) =>
      toolsIn(params).length === 0 ? doGenerate() : generated(model, await exchange(model, params)),
    wrapStream: async ({ model, params, doStream }: Wrapped) =>
      toolsIn(params).length === 0 ? doStream() : streamed(model, await exchange(model, params)),
  };
}

/** The tools that can be deferred. Tools of the vendor are always sent. */
function toolsIn(params: CallOptions): FunctionTool[] {
  return (params.tools ?? []).filter((tool) => tool.type === "function");
}

/** The reply of the last round, with the texts of the rounds before it and what all of them used. */
async function generated(model: Model, exchange: Exchange): Promise<GenerateResult> {
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
