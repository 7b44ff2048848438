/** The door for Mastra: settings that are ready for `new Agent`. Loaded by `toolsift()`. */

import type { AgentConfig } from "@mastra/core/agent";
import type { InputProcessorOrWorkflow } from "@mastra/core/processors";
import { kind } from "../../base/values.js";
import { Doorway, type Parts } from "../../door/doorway.js";
import { refuseClash } from "../../door/clash.js";
import { ToolSiftError } from "../../base/errors.js";
import { ownFields } from "../../base/plain-data.js";
import type { MastraTools } from "./options.js";
import type { SiftProcessor } from "./processor.js";

/** The settings of an agent. */
export type AgentSettings = Partial<AgentConfig<any, any, any, any>>;

/** Refuses settings that an agent does not have. */
export type KnownSettings<S> = S & { [K in Exclude<keyof S, keyof AgentSettings>]: never };

type Processors = InputProcessorOrWorkflow[];

/** The host's settings, with our processor behind those that are there. */
export type SiftedAgent<S> = Omit<S, "inputProcessors"> & {
  inputProcessors: Processors | ((about: any) => Promise<Processors>);
};

/** What `toolsift` returns: tool search for Mastra. */
export class MastraSift extends Doorway {
  /** The processor that `with` adds. Put it among your own where its place matters. */
  readonly processor: SiftProcessor;
  readonly #tools: unknown[];

  /** @internal */
  constructor(parts: Parts, processor: SiftProcessor, { tools = {} }: { tools?: MastraTools | undefined }) {
    super(parts);
    this.processor = processor;
    this.#tools = Object.values(tools);
  }

  /**
   * The settings of an agent, with tool search added: our processor stands behind yours, unless it is among them. Each
   * thread of the agent's memory is a session, `sift.session(threadSessionId(thread, resource))`. `tools` of the settings
   * are always sent; tools to be searched belong into `toolsift({ tools })`.
   *
   * ```ts
   * const agent = new Agent(sift.with({ id: "helper", name: "Helper", instructions, model, inputProcessors }));
   * ```
   *
   * @throws ToolSiftError `option_invalid`; `option_conflict` for a tool of the settings whose name another tool has
   */
  with<const S extends AgentSettings>(settings: KnownSettings<S>): SiftedAgent<S> {
    const { inputProcessors = [], ...others } = ownFields("settings", settings) as AgentSettings;
    const tools: unknown = others.tools;
    if (typeof tools === "object" && tools !== null) refuseClash(this, Object.entries(tools), this.#tools);
    const all =
      typeof inputProcessors === "function"
        ? async (about: any) => this.#among(await inputProcessors(about))
        : this.#among(inputProcessors);
    return { ...others, inputProcessors: all } as unknown as SiftedAgent<S>;
  }

  #among(processors: unknown): Processors {
    if (Array.isArray(processors)) return processors.includes(this.processor) ? processors : [...processors, this.processor];
    throw new ToolSiftError("option_invalid", `settings.inputProcessors is ${kind(processors)}; it must be a list`);
  }
}
