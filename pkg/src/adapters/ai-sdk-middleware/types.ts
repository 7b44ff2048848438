/** The types of the middleware: what a host passes and gets, and the parts of AI SDK's model calls by name. */

import type { LanguageModelMiddleware } from "ai";
import type { MaxTools } from "../../wire/limits.js";
import type { RankOptions, ToolEvent, ToolSiftOptions } from "../../index.js";
import type { AheadOptions } from "../../loop/types.js";

/** Options of `siftModelMiddleware`. */
export interface SiftModelMiddlewareOptions extends MaxTools, RankOptions, AheadOptions {
  /** The options of the `ToolSift` that each set of tools gets: profile, activation, what is never deferred, and so on. */
  sift?: ToolSiftOptions | undefined;
  /** Further model calls at most, for one call of the host, in which the model searches. Default 8. */
  maxRounds?: number | undefined;
  /** Is told of every search, reveal and refusal. What it throws is ignored. */
  onEvent?: ((event: ToolEvent) => void) | undefined;
}

/** A middleware for `wrapLanguageModel`. The two versions of AI SDK type it differently, which `any` covers. */
export interface ModelMiddleware {
  readonly specificationVersion: any;
  wrapGenerate: (options: any) => PromiseLike<any>;
  wrapStream: (options: any) => PromiseLike<any>;
}

type Wrapped = Parameters<NonNullable<LanguageModelMiddleware["wrapGenerate"]>>[0];

/** The model that is wrapped. */
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
