/** A middleware for `wrapLanguageModel`: the model searches inside one call, and your program does not see that. */

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
 * AI SDK passes its tools with each model call. The middleware loads the tools that clearly fit the user's first message,
 * defers the others, answers calls of discovery tools itself, and then calls the model again. It writes the names of the
 * loaded tools into the metadata of the reply, which AI SDK sends back with the messages. Without this metadata, the tools
 * that the messages call are loaded. So the middleware has no state, and one middleware serves any number of conversations.
 *
 * @throws ToolSiftError `option_unknown`, `option_invalid`, `limit_out_of_range`. A model call throws the errors of the
 *   constructor of `ToolSift`; `name_reserved` for a tool that has the name of a discovery tool; `limit_out_of_range` if the
 *   tools that are always sent are more than the vendor allows
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
    // Valid in both versions of AI SDK, because neither checks it at run time.
    specificationVersion: "v3",
    wrapGenerate: async ({ model, params, doGenerate }: Wrapped) =>
      toolsIn(params).length === 0 ? doGenerate() : generated(model, await exchange(model, params)),
    wrapStream: async ({ model, params, doStream }: Wrapped) =>
      toolsIn(params).length === 0 ? doStream() : streamed(model, await exchange(model, params)),
  };
}

/** Returns the tools that can be deferred. A vendor's own tools are always sent. */
function toolsIn(params: CallOptions): FunctionTool[] {
  return (params.tools ?? []).filter((tool) => tool.type === "function");
}

/** Returns the reply of the last round, with the texts of the earlier rounds and the usage of all rounds. */
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
 * Returns the parts of a search round that your program sees. They lose the vendor's metadata, which would refer to calls
 * that the messages do not contain.
 */
function hostContent(content: readonly Content[]): Content[] {
  return content.flatMap((part): Content[] => {
    if (isOurs(part)) return [];
    if (part.type !== "text" && part.type !== "reasoning") return [part];
    return part.text === "" ? [] : [{ type: part.type, text: part.text }];
  });
}

/** Adds the mark to the last part whose metadata AI SDK keeps. */
function markedLast(exchange: Exchange, content: Content[]): Content[] {
  const at = content.map((part) => isOurs(part) || part.type === "text").lastIndexOf(true);
  return content.map((part, index) => (index === at ? exchange.marked(part as Call) : part));
}
