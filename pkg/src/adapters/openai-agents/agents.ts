/** Gives the tools of a session to an agent of the OpenAI Agents SDK, and answers its calls. */

import {
  type InputGuardrail,
  type RunContext,
  type ToolErrorFormatter,
  type Agent,
  type AgentOptions,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  type ToolToFinalOutputFunction,
  type ToolUseBehavior,
} from "@openai/agents";
import { requireMethods, listOf } from "../../base/checks.js";
import { ToolSiftError } from "../../base/errors.js";
import type { Session, ToolSift } from "../../index.js";
import { aheadOf, searchAhead } from "../../loop/ahead.js";
import type { Defined } from "../../types/defined.js";
import { kind } from "../../base/values.js";
import { limitOf, type ToolLimit } from "../../wire/limits.js";
import { joined } from "../../wire/prompt.js";
import { Catalog, type ToolList } from "./catalog.js";
import { optionsFor } from "../lib/register.js";
import { type AgentsOptions, OPTIONS, registered } from "./options.js";
import { toolList } from "./tool-list.js";
import { notFound, Run } from "./turns.js";

/** The options of a run for calls of tools that the agent does not have. */
export interface NotFoundOptions {
  toolNotFoundBehavior?: "raise_error" | "return_error_to_model" | undefined;
  toolErrorFormatter?: ToolErrorFormatter<any> | undefined;
}

/** A type for the keys of settings that no agent has: they must be absent. */
export type Misspelt<S> = Record<Exclude<keyof S, keyof AgentOptions>, never>;

/**
 * Adds tool search to agents of the OpenAI Agents SDK.
 *
 * ```ts
 * const agents = siftAgents(sift, { execute });
 * const agent = new Agent(agents.with("chat-42", { name: "Helper", instructions: "You help." }));
 * const { finalOutput } = await run(agent, "Report it.", agents.runOptions());
 * ```
 *
 * @param sift the catalog; it may change while agents run
 * @throws ToolSiftError `option_invalid`, `option_unknown`, `limit_out_of_range`; `tool_shape_unknown` for a value that is
 *   no function tool, `duplicate_tool`; the errors of `sift.register` for one of the tools
 */
export function siftAgents(sift: ToolSift, options: AgentsOptions = {}): SiftAgents {
  return new SiftAgents(sift, options);
}

/** The result of `siftAgents`. It serves any number of agents, sessions and runs at the same time. */
export class SiftAgents {
  readonly #catalog: Catalog;

  /** @internal */
  constructor(sift: ToolSift, options: AgentsOptions) {
    const settings = optionsFor(sift, options, OPTIONS);
    this.#catalog = new Catalog(sift, registered(sift, settings.tools ?? []), settings);
  }

  /**
   * Adds the tools and the prompt section of a session to the settings of an agent. Each turn of a run sends the session's
   * current tools: discovery tools first, then the agent's own tools, then the loaded tools. The agent's MCP servers stay
   * with the SDK. `toolUseBehavior` gets no results of discovery tools.
   *
   * An agent belongs to one session: make one agent for each conversation. Agents that hand over to each other may share one
   * session.
   *
   * @param session the session's id, or the session itself if it has a scope
   * @param settings the options of `new Agent`
   * @throws ToolSiftError as `sift.session`; `option_conflict` for an agent's tool that has the name of a discovery tool or
   *   of a catalog's tool that the session may see; `option_invalid` if no function runs a tool that is sent;
   *   `limit_out_of_range` if the tools that are always sent are more than the vendor allows. After a change of the catalog,
   *   a run may throw these too.
   */
  with<S extends AgentOptions<any, any>>(session: string | Session, settings: S & Misspelt<S>): S {
    return this.#combined(this.#opener(session), settings);
  }

  #combined<S extends AgentOptions<any, any>>(open: () => Session, settings: S): S {
    const tools = listOf("settings.tools", settings.tools ?? []) as NonNullable<S["tools"]>;
    const at = tools.findIndex((tool: unknown) => typeof tool !== "object" || tool === null);
    if (at !== -1) {
      throw new ToolSiftError("option_invalid", `settings.tools.${at} is ${kind(tools[at])}; it must be a tool`);
    }
    const list = toolList(this.#catalog, open, tools, this.#limitOf(settings.model));
    const ownInstructions = settings.instructions;
    const instructions = async (runContext: RunContext<any>, agent: Agent<any, any>) => {
      if (agent.tools !== list.tools) throw replaced(agent.name);
      const section = Run.of(runContext, list).begin(runContext, agent);
      return joined(
        typeof ownInstructions === "function" ? await ownInstructions(runContext, agent) : ownInstructions,
        section,
      );
    };
    const toolUseBehavior = stopping(settings.toolUseBehavior, list);
    return {
      ...settings,
      tools: list.tools,
      instructions,
      ...(toolUseBehavior && { toolUseBehavior }),
      ...(aheadOf(this.#catalog.options, this.#catalog.sift.settings) && {
        inputGuardrails: [...(settings.inputGuardrails ?? []), ahead(list)],
      }),
    };
  }

  /**
   * Returns the options of a run, with an answer to calls of tools that the agent does not have: the model is told how to
   * load a tool, and the run continues. Without these options the SDK ends a run at the first such call. Use them in `run`,
   * `runner.run` or `new Runner`.
   *
   * @param options your program's own options; their `toolErrorFormatter` is called for all other errors
   */
  runOptions<const O extends object = {}>(options?: O & NotFoundOptions): O & Defined<Required<NotFoundOptions>> {
    const given = { ...(options as O & NotFoundOptions) };
    const { toolErrorFormatter: own, toolNotFoundBehavior } = given as NotFoundOptions;
    return {
      ...given,
      toolNotFoundBehavior: toolNotFoundBehavior ?? "return_error_to_model",
      toolErrorFormatter: (args) => notFound(args) ?? own?.(args),
    };
  }

  /** Returns the vendor's tool limit. A model of OpenAI may be a name or undefined; other vendors' models are objects. */
  #limitOf(model: unknown): ToolLimit | undefined {
    const isOpenAI = typeof model !== "object" || model === null || model instanceof OpenAIChatCompletionsModel;
    return limitOf(isOpenAI || isResponses(model) ? "openai" : undefined, this.#catalog.options);
  }

  /** Opens a closed or evicted session by its id again. A session with a scope is not reopened: it would lose the scope. */
  #opener(session: string | Session): () => Session {
    const { sift } = this.#catalog;
    if (typeof session !== "string") {
      requireMethods("session", session, ["assemble", "call"], "an id, or what sift.session(id) returns");
      return () => session;
    }
    const opened = sift.session(session);
    return opened.isScoped ? () => opened : () => sift.session(session);
  }
}

/**
 * Checks if a model is the SDK's model for the Responses API, from any copy of the SDK. A Chat Completions model of another
 * copy cannot be recognised, because its fields are private.
 */
function isResponses(model: object): boolean {
  const { _client: client } = model as { _client?: { responses?: unknown } };
  return model instanceof OpenAIResponsesModel || Object(client).responses !== undefined;
}

/** Returns a guardrail that lets every input pass. Only a guardrail gets a run's input before the first request. */
function ahead({ catalog, open }: ToolList): InputGuardrail {
  return {
    name: "toolsift",
    runInParallel: false,
    async execute({ input }) {
      try {
        searchAhead(open(), catalog.options, { input });
      } catch (error) {
        // The SDK would report an error of a guardrail. The next request fails in the same way and reports the error itself.
        if (!ToolSiftError.is(error)) throw error;
      }
      return { tripwireTriggered: false, outputInfo: null };
    },
  };
}

function replaced(name: string): ToolSiftError {
  const help = "pass your own tools to `with`, or add them by agent.tools.push";
  return new ToolSiftError("option_conflict", `the tools of agent ${name} are not those that \`with\` returned; ${help}`);
}

type Results = Parameters<ToolToFinalOutputFunction>[1];

const GO_ON = { isFinalOutput: false, isInterrupted: undefined } as const;

/** Wraps the agent's `toolUseBehavior`, so that it gets no results of discovery tools. */
function stopping(behavior: ToolUseBehavior | undefined, list: ToolList): ToolUseBehavior | undefined {
  if (typeof behavior === "function") {
    return (context, results) => {
      const real = ofTools(list, context, results);
      return real.length === 0 && results.length > 0 ? GO_ON : behavior(context, real);
    };
  }
  if (behavior !== "stop_on_first_tool") return behavior;
  return (context, results) => {
    const first = ofTools(list, context, results)[0];
    if (first?.type !== "function_output") return GO_ON;
    return { isFinalOutput: true, isInterrupted: undefined, finalOutput: list.open().answerText(first.output).text };
  };
}

function ofTools(list: ToolList, context: RunContext<any>, results: Results): Results {
  const { answered } = Run.of(context, list);
  return results.filter(({ runItem: { rawItem } }) => !("callId" in rawItem && answered.has(rawItem.callId)));
}
