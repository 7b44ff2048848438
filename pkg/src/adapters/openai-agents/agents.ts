/** Gives an agent of the OpenAI Agents SDK the tools of a session, and answers its calls. */

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
import { textOf } from "../../wire/answer-text.js";

/** The options of a run that say what happens with a call that the agent has no tool for. */
export interface NotFoundOptions {
  toolNotFoundBehavior?: "raise_error" | "return_error_to_model" | undefined;
  toolErrorFormatter?: ToolErrorFormatter<any> | undefined;
}

/** The keys of some settings that no agent has. */
export type Misspelt<S> = Record<Exclude<keyof S, keyof AgentOptions>, never>;

/**
 * Puts tool search into agents of the OpenAI Agents SDK.
 *
 * ```ts
 * const agents = siftAgents(sift, { execute });
 * const agent = new Agent(agents.with("chat-42", { name: "Helper", instructions: "You help." }));
 * const { finalOutput } = await run(agent, "Report it.", agents.runOptions());
 * ```
 *
 * @param sift the catalog; it may change while agents run
 * @throws ToolSiftError `option_invalid`, `option_unknown`, `limit_out_of_range`; `tool_shape_unknown` for what is not a
 * function tool, `duplicate_tool`; what `sift.register` throws for one of the tools
 */
export function siftAgents(sift: ToolSift, options: AgentsOptions = {}): SiftAgents {
  return new SiftAgents(sift, options);
}

/** What `siftAgents` returns. It serves any number of agents, sessions and runs at once. */
export class SiftAgents {
  readonly #catalog: Catalog;

  /** @internal */
  constructor(sift: ToolSift, options: AgentsOptions) {
    const settings = optionsFor(sift, options, OPTIONS);
    this.#catalog = new Catalog(sift, registered(sift, settings.tools ?? []), settings);
  }

  /**
   * The settings of an agent, with the tools and the prompt section of a session combined in. Each turn of a run sends what
   * the session has at that moment: discovery tools first, then the agent's own, then what the session has revealed. The
   * agent's MCP servers stay the SDK's own. `toolUseBehavior` is asked about the results of real tools only.
   *
   * An agent belongs to one session: make one for each conversation. Agents that hand over to each other may share one.
   *
   * @param session its id, or the session itself where it has a scope
   * @param settings what `new Agent` takes
   * @throws ToolSiftError what `sift.session` throws; `option_conflict` for a tool of the agent's that has the name of a
   * discovery tool or of a tool of the catalog that the session may see, `option_invalid` where nothing runs a tool that is
   * sent, `limit_out_of_range` where more tools are always there than the vendor takes.
   * A run throws these too, when the catalog has changed since.
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
   * The options of a run, with the answer to calls of tools that the agent does not have: the model is told how to load a
   * tool, and the run goes on. Without them the SDK ends a run at the first such call. They fit `run`, `runner.run` and
   * `new Runner`.
   *
   * @param options the host's own; a `toolErrorFormatter` among them is asked about everything else
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

  /** Models of other vendors are objects; a name, or no model, is OpenAI's. */
  #limitOf(model: unknown): ToolLimit | undefined {
    const isOpenAI = typeof model !== "object" || model === null || model instanceof OpenAIChatCompletionsModel;
    return limitOf(isOpenAI || isResponses(model) ? "openai" : undefined, this.#catalog.options);
  }

  /** A session of an id is opened again when it was closed or evicted since; one with a scope must not lose it by that. */
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
 * Whether a model is the SDK's for the Responses API, of whichever copy of the SDK. Nothing tells a Chat Completions model
 * of another copy from another vendor's: what it has is private.
 */
function isResponses(model: object): boolean {
  const { _client: client } = model as { _client?: { responses?: unknown } };
  return model instanceof OpenAIResponsesModel || Object(client).responses !== undefined;
}

/** Is asked for the input of a run before its first request: nothing else of the SDK is. It lets all of it pass. */
function ahead({ catalog, open }: ToolList): InputGuardrail {
  return {
    name: "toolsift",
    runInParallel: false,
    async execute({ input }) {
      try {
        searchAhead(open(), catalog.options, { input });
      } catch (error) {
        // The SDK would make it an error of a guardrail. The request, which is assembled next, has the same and says so
        // itself.
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

/** The agent's `toolUseBehavior`, which is asked about results of real tools only. */
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
    return { isFinalOutput: true, isInterrupted: undefined, finalOutput: textOf(first.output) };
  };
}

function ofTools(list: ToolList, context: RunContext<any>, results: Results): Results {
  const { answered } = Run.of(context, list);
  return results.filter(({ runItem: { rawItem } }) => !("callId" in rawItem && answered.has(rawItem.callId)));
}
