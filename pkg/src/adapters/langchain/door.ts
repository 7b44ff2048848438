/** The door for LangChain: settings that are ready for `createAgent`. Loaded by `toolsift()`. */

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

/** Refuses settings that `createAgent` does not have. */
export type KnownSettings<S> = S & { [K in Exclude<keyof S, keyof AgentSettings>]: never };

type MiddlewareOf<S> = S extends { middleware: infer M extends readonly AnyAgentMiddleware[] } ? M : readonly [];

/** The host's settings, with our middleware before those that are there. */
export type SiftedAgent<S> = Omit<S, "middleware"> & { middleware: readonly [SiftMiddleware, ...MiddlewareOf<S>] };

/** What `toolsift` returns: tool search for LangChain. */
export class LangChainSift extends Doorway {
  /**
   * The middleware that `with` adds. Put it among your own where its place matters: behind one that chooses tools, such as
   * `llmToolSelectorMiddleware`, and before one that tries failing tools again.
   */
  readonly middleware: SiftMiddleware;

  /** @internal */
  constructor(parts: Parts, middleware: SiftMiddleware) {
    super(parts);
    this.middleware = middleware;
  }

  /**
   * The settings of `createAgent`, with tool search added: our middleware stands before yours, unless it is among them. Each
   * thread is a session, `sift.session(thread_id)`. `tools` of the settings are always sent; tools to be searched belong
   * into `toolsift({ tools })`.
   *
   * ```ts
   * const agent = createAgent(sift.with({ model: "openai:gpt-5.4", tools, middleware }));
   * ```
   *
   * @throws ToolSiftError `option_invalid`; `option_conflict` for a tool of the settings whose name another tool has
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
