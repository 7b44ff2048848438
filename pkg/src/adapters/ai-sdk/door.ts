/** The entry point for AI SDK: settings that are ready for `generateText`. Imported by `toolsift()`. */

import type {
  ToolSet,
  generateText,
  PrepareStepFunction,
  StopCondition,
  streamText,
  ToolCallRepairFunction,
  ToolLoopAgent,
} from "ai";
import { Doorway, type Parts } from "../../door/doorway.js";
import type { DoorwayOptions } from "../../door/types.js";
import type { Session } from "../../index.js";
import { searchAhead, type Watched } from "../../loop/ahead.js";
import type { AheadOptions } from "../../loop/types.js";
import { ownFields } from "../../base/plain-data.js";
import { conversation } from "./conversation.js";
import type { SharedState } from "./shared-state.js";
import type { ConversationOptions, Conversation } from "./types.js";
import { callable } from "../../base/checks.js";
import { refuseClash } from "../../door/own-tools.js";

type Watch = Pick<DoorwayOptions, "patience" | "onEvent" | "rank" | "rankTimeoutMs">;

/** The result of `toolsift`: tool search for AI SDK. */
export class AiSdkSift<OWN extends ToolSet> extends Doorway {
  readonly #shared: SharedState;
  readonly #watch: ConversationOptions<ToolSet>;
  readonly #ahead: Watched;

  /** @internal */
  constructor(parts: Parts, shared: SharedState, options: Watch & AheadOptions) {
    super(parts);
    this.#ahead = options;
    this.#shared = shared;
    const { patience, onEvent, rank, rankTimeoutMs } = options;
    this.#watch = { patience, onEvent, rank, rankTimeoutMs };
  }

  /**
   * Adds tool search to the settings of `generateText`, `streamText` or `ToolLoopAgent`. Your own settings stay in force:
   * your `prepareStep` runs first in every step; each condition of your `stopWhen` ends the run (default: 20 steps); your
   * system prompt comes before toolsift's; your `activeTools` limits the tools that are sent besides the discovery tools;
   * your hook for unreadable calls runs first. The tools in `settings` are always sent, and AI SDK runs them. Pass tools to
   * be searched to `toolsift({ tools })`.
   *
   * ```ts
   * const { text } = await generateText(sift.with("chat-42", { model, prompt, stopWhen: stepCountIs(20) }));
   * ```
   *
   * @param session the id of the conversation, or its session
   * @throws ToolSiftError `option_invalid`; `option_conflict` for a tool of the settings that has the name of another tool;
   *   `session_id_invalid`; `disposed` after `close`
   */
  with<const S extends CallSettings>(session: string | Session, settings: KnownSettings<S>): Sifted<S, OWN> {
    const opened = this.sessionOf(session);
    const given = ownFields("settings", settings) as CallSettings;
    const combined = combine(this.#shared, opened, given, this.#watch) as Sifted<S, OWN>;
    searchAhead(opened, this.#ahead, given);
    return combined;
  }
}

type Any = Record<string, any>;

/** Matches the names of the combined settings, in both versions of AI SDK. */
const COMBINED = /^(tools|stopWhen|(experimental_)?(prepareStep|activeTools|repairToolCall))$/;

function combine(shared: SharedState, session: Session, settings: CallSettings, watch: ConversationOptions<any>): Any {
  const { prepareCall, ...given } = settings as Any;
  const call = { ...part(given, false), ...conversationOf(shared, session, given, watch) };
  callable("prepareCall", prepareCall, true);
  const isAgent = prepareCall !== undefined || (given["prompt"] === undefined && given["messages"] === undefined);
  if (!isAgent) return call;
  // One agent may serve several conversations at the same time.
  const prepare = async (callOptions: Any) => {
    const own = { ...part(callOptions, false), ...part(given, true) };
    const prepared: Any = (await prepareCall?.(own)) ?? own;
    return { ...part(prepared, false), ...conversationOf(shared, session, prepared, watch) };
  };
  return { ...call, prepareCall: prepare };
}

function conversationOf(
  shared: SharedState,
  session: Session,
  given: Any,
  watch: ConversationOptions<any>,
): Conversation<ToolSet> {
  const { tools, toolChoice, system, instructions } = given;
  const either = (name: string) => given[name] ?? given[`experimental_${name}`];
  const prepareStep = either("prepareStep");
  callable("prepareStep", prepareStep, true);
  const forced = typeof toolChoice === "object" && toolChoice !== null ? { toolChoice } : {};
  const options = {
    ...watch,
    // Forces the tool of `toolChoice`, which `prepareStep` may override.
    prepareStep: async (stepOptions: Any) => ({ ...forced, ...(await prepareStep?.(stepOptions)) }),
    stopWhen: given["stopWhen"],
    activeTools: either("activeTools"),
    repairToolCall: either("repairToolCall"),
    // ai 6 does not pass the system prompt to a step.
    system: system ?? instructions,
  };
  return conversation(shared, session, options as ConversationOptions<any>, besideOf(shared, session, tools));
}

/** Returns your program's tools of this call, without the tools that it also gave to `toolsift`. */
function besideOf({ tools }: SharedState, session: Session, given: ToolSet = {}): ToolSet {
  const entries = Object.entries(given);
  refuseClash(session, entries, Object.values(tools));
  return Object.fromEntries(entries.filter(([name, tool]) => tools[name] !== tool));
}

/** Returns either the settings that are combined, or the other settings. */
function part(settings: Any, isCombined: boolean): Any {
  return Object.fromEntries(Object.entries(settings).filter(([key]) => COMBINED.test(key) === isCombined));
}

type Generate = Parameters<typeof generateText<any>>[0];
type Stream = Parameters<typeof streamText<any>>[0];
type Agent = ConstructorParameters<typeof ToolLoopAgent<any, any>>[0];

interface Combined {
  tools?: ToolSet | undefined;
  prepareStep?: PrepareStepFunction<any> | undefined;
  stopWhen?: StopCondition<any> | StopCondition<any>[] | undefined;
  activeTools?: readonly string[] | undefined;
  /** The name in ai 7. */
  repairToolCall?: ToolCallRepairFunction<any> | undefined;
  experimental_repairToolCall?: ToolCallRepairFunction<any> | undefined;
}

/** Settings whose types AI SDK infers from each other: they are passed on unchanged, and AI SDK checks them. */
interface Inferred {
  output?: any;
  experimental_output?: any;
  runtimeContext?: any;
  toolsContext?: any;
  callOptionsSchema?: any;
  prepareCall?: ((options: any) => any) | undefined;
}

type OfStream = Omit<Stream, keyof Generate>;
type OfAgent = Omit<Agent, keyof Generate | keyof OfStream>;

/** The settings of `generateText`, `streamText` or `ToolLoopAgent`. */
export type CallSettings = Combined &
  Inferred &
  Partial<Omit<Generate & OfStream & OfAgent, keyof Combined | keyof Inferred>>;

/** Allows only settings that AI SDK has. */
export type KnownSettings<S> = S & { [K in Exclude<keyof S, keyof CallSettings>]: never };

/** The type of the tools in your program's settings. */
type ToolsOf<S> = S extends { tools: infer T extends ToolSet } ? T : {};

/** The hooks of a conversation, which AI SDK calls. They accept any tools, because `prepareCall` may add tools. */
interface Led {
  prepareStep: (options: any) => PromiseLike<any>;
  stopWhen: ((options: any) => PromiseLike<boolean> | boolean)[];
  experimental_repairToolCall: ToolCallRepairFunction<any>;
}

/** Your program's settings, in which the combined settings replace the original ones. */
export type Sifted<S, OWN extends ToolSet> = Omit<S, keyof Combined> & Led & { tools: OWN & ToolsOf<S> };
