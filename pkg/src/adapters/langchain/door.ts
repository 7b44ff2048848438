/** The entry point for LangChain: settings that are ready for `createAgent`. Imported by `toolsift()`. */

import type { ClientTool, ServerTool } from "@langchain/core/tools";
import type { AnyAgentMiddleware, CreateAgentParams } from "langchain";
import { listOf } from "../../base/checks.js";
import { Doorway, type Parts } from "../../door/doorway.js";
import { refuseClash } from "../../door/own-tools.js";
import { ownFields } from "../../base/plain-data.js";
import type { SiftMiddleware } from "./middleware.js";

interface Combined {
  tools?: (ClientTool | ServerTool)[] | undefined;
  middleware?: readonly AnyAgentMiddleware[] | undefined;
}

/** The settings of `createAgent`. */
export type AgentSettings = Combined & Partial<Omit<CreateAgentParams<any, any, any, any>, keyof Combined>>;

/** Allows only settings that `createAgent` has. */
export type KnownSettings<S> = S & { [K in Exclude<keyof S, keyof AgentSettings>]: never };

type MiddlewareOf<S> = S extends { middleware: infer M extends readonly AnyAgentMiddleware[] } ? M : readonly [];

/** Your program's settings, with toolsift's middleware before the other middlewares. */
export type SiftedAgent<S> = Omit<S, "middleware"> & { middleware: readonly [SiftMiddleware, ...MiddlewareOf<S>] };

/** The result of `toolsift`: tool search for LangChain. */
export class LangChainSift extends Doorway {
  /**
   * The middleware that `with` adds. If the order matters, put it into your own list: after a middleware that selects tools,
   * such as `llmToolSelectorMiddleware`, and before a middleware that retries failed tools.
   */
  readonly middleware: SiftMiddleware;

  /** @internal */
  constructor(parts: Parts, middleware: SiftMiddleware) {
    super(parts);
    this.middleware = middleware;
  }

  /**
   * Adds tool search to the settings of `createAgent`. Toolsift's middleware comes before yours, unless your list contains
   * it. Each thread is a session, `sift.session(thread_id)`. The tools in `settings` are always sent; pass tools to be
   * searched to `toolsift({ tools })`.
   *
   * ```ts
   * const agent = createAgent(sift.with({ model: "openai:gpt-5.4", tools, middleware }));
   * ```
   *
   * @throws ToolSiftError `option_invalid`; `option_conflict` for a tool of the settings that has the name of another tool
   */
  with<const S extends AgentSettings>(settings: KnownSettings<S>): SiftedAgent<S> {
    const { tools = [], middleware = [], ...others } = ownFields("settings", settings) as Combined;
    const listed = listOf<ClientTool | ServerTool>("settings.tools", tools);
    const named = listed.map((tool) => [String((tool as { name?: unknown }).name), tool] as const);
    refuseClash(this, named, this.middleware.tools ?? []);
    const given = listOf<AnyAgentMiddleware>("settings.middleware", middleware);
    const all = given.includes(this.middleware) ? given : [this.middleware, ...given];
    return { ...others, ...(tools.length > 0 && { tools }), middleware: all } as unknown as SiftedAgent<S>;
  }
}
