/** The types of the middleware: its options and results, and short names for the parts of AI SDK's model calls. */

import type { LanguageModelMiddleware } from "ai";
import type { MaxTools } from "../../wire/limits.js";
import type { RankOptions, ToolEvent, ToolSiftOptions } from "../../index.js";
import type { AheadOptions } from "../../loop/types.js";

/** Options of `siftModelMiddleware`. */
export interface SiftModelMiddlewareOptions extends MaxTools, RankOptions, AheadOptions {
  /** The options of the `ToolSift` that is made for each set of tools, such as the profile. */
  sift?: ToolSiftOptions | undefined;
  /** The maximum number of further model calls in one call of your program, for searches. Default 8. */
  maxRounds?: number | undefined;
  /** Called for every search, loading and refusal. Its errors are ignored. */
  onEvent?: ((event: ToolEvent) => void) | undefined;
}

/** A middleware for `wrapLanguageModel`. `any` covers the different types of the two versions of AI SDK. */
export interface ModelMiddleware {
  readonly specificationVersion: any;
  wrapGenerate: (options: any) => PromiseLike<any>;
  wrapStream: (options: any) => PromiseLike<any>;
}

type Wrapped = Parameters<NonNullable<LanguageModelMiddleware["wrapGenerate"]>>[0];

/** The wrapped model. */
export type Model = Wrapped["model"];
/** The parameters of a model call. */
export type CallOptions = Wrapped["params"];
export type Message = CallOptions["prompt"][number];
export type Tool = NonNullable<CallOptions["tools"]>[number];
export type FunctionTool = Extract<Tool, { type: "function" }>;
export type GenerateResult = Awaited<ReturnType<Model["doGenerate"]>>;
export type StreamResult = Awaited<ReturnType<Model["doStream"]>>;
export type StreamPart = StreamResult["stream"] extends ReadableStream<infer Part> ? Part : never;
/** A part of a reply. */
export type Content = GenerateResult["content"][number];
export type Call = Extract<Content, { type: "tool-call" }>;
export type Usage = GenerateResult["usage"];
