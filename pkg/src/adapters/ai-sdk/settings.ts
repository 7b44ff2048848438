/** Combines the settings of a host's whole call of AI SDK with what a conversation adds to them. */

import type {
  generateText,
  PrepareStepFunction,
  StopCondition,
  streamText,
  ToolCallRepairFunction,
  ToolLoopAgent,
  ToolSet,
} from "ai";

type Generate = Parameters<typeof generateText<any>>[0];
type Stream = Parameters<typeof streamText<any>>[0];
type Agent = ConstructorParameters<typeof ToolLoopAgent<any, any>>[0];

interface Combined {
  tools?: ToolSet | undefined;
  prepareStep?: PrepareStepFunction<any> | undefined;
  stopWhen?: StopCondition<any> | StopCondition<any>[] | undefined;
  activeTools?: readonly string[] | undefined;
  /** The name of ai 7. */
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

/** Refuses settings that AI SDK does not have. */
export type KnownSettings<S> = S & { [K in Exclude<keyof S, keyof CallSettings>]: never };

/** The tools among the settings of a host. */
type ToolsOf<S> = S extends { tools: infer T extends ToolSet } ? T : {};

/** The hooks of a conversation, for AI SDK to call: of any tools, since an agent may learn its tools from `prepareCall`. */
interface Led {
  prepareStep: (options: any) => PromiseLike<any>;
  stopWhen: ((options: any) => PromiseLike<boolean> | boolean)[];
  experimental_repairToolCall: ToolCallRepairFunction<any>;
}

/** The host's settings, with what was combined in the place of what was there. */
export type Sifted<S, OWN extends ToolSet> = Omit<S, keyof Combined> & Led & { tools: OWN & ToolsOf<S> };
