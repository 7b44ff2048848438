/** Wraps tools for AI SDK's loop: your program's, the catalog's and discovery tools. The session decides each call. */

import { asSchema, jsonSchema, type ToolSet, type Tool, defaultSettingsMiddleware } from "ai";
import type { AnswerPart, Session } from "../../index.js";
import type { Driver } from "../../loop/driver.js";
import { ToolSiftError } from "../../base/errors.js";
import { isBridge } from "../lib/register.js";
import { isApproved } from "./approval.js";
import type { SharedState } from "./shared-state.js";
import { assembled, type Sent } from "./step-tools.js";
import { type Definition, isProviders } from "./register.js";
import { Runner } from "./runner.js";
import { parameterNames, withOwnNames } from "../../loop/own-names.js";
import type { AnyTool, ApprovalContext, ToolContext } from "./types.js";

/** A schema for any arguments, for tools that were not sent: the session checks their calls and returns the real schema. */
const ANYTHING = jsonSchema({});

/** The tools of one conversation, as they are in the latest step. */
export class Tools {
  readonly #runner: Runner;
  #sent: Sent;
  #isAssembled = false;
  /** True if the tools were enumerated since the step began. */
  #isRead = false;
  /** The definitions that the session assembled before the first step, for discovery tools in earlier calls. */
  #earlier: Sent["definitions"] | undefined;

  constructor(
    readonly shared: SharedState,
    readonly driver: Driver,
    isWatched: boolean,
    /** Tools that are always sent and that only AI SDK runs. */
    readonly beside: ToolSet = {},
  ) {
    this.#runner = new Runner(shared, driver, isWatched);
    // Before the first step, AI SDK reads your program's own tools.
    const names = new Set([...Object.keys(beside), ...Object.keys(shared.tools)]);
    this.#sent = { names, definitions: new Map(), isActive: () => true, systemPrompt: "" };
  }

  /**
   * Begins a step.
   *
   * @param isFirst true if a run begins with this step
   * @throws ToolSiftError `option_invalid` if the tools of the previous step were not enumerated: then AI SDK has a copy,
   *   made with `Object.entries`
   */
  show(sent: Sent, isFirst: boolean): void {
    if (!isFirst && this.#isAssembled && !this.#isRead) throw copied();
    this.#sent = sent;
    this.#isAssembled = true;
    this.#isRead = false;
  }

  admit(name: string): void {
    this.#runner.admit(name);
  }

  /** Returns true if the tool is already sent in this step, or if your program excludes it from this step. */
  isLeftOut(name: string): boolean {
    return this.#sent.names.has(name) || !this.#sent.isActive(name);
  }

  /** Checks if AI SDK itself runs a tool and answers its broken calls. */
  isBeside(name: string): boolean {
    return Object.hasOwn(this.beside, name);
  }

  #has(name: string): boolean {
    return this.driver.session.named([name]).has(name);
  }

  isHidden(name: string): boolean {
    return this.#has(name) && !this.isLeftOut(name);
  }

  /** Converts a tool's answer for the model, if the tool has no conversion of its own. Long text is shortened. */
  readonly #read = ({ output }: { output: unknown }) =>
    modelOutput(this.driver.session, output, (text) => this.driver.bounded(text));

  /** Converts an answer of the core, such as a search result or a skill's text. The core has already limited its length. */
  readonly #readWhole = ({ output }: { output: unknown }) => modelOutput(this.driver.session, output, (text) => text);

  /** Returns the names that are sent, in their order. */
  readonly names = (): ReadonlySet<string> => this.#sent.names;

  /** Called after the names were enumerated. */
  readonly enumerated = (): void => {
    this.#isRead = true;
  };

  /** Returns true after the first step has begun. From then on AI SDK itself may copy the tools in each step. */
  readonly hasBegun = (): boolean => this.#isAssembled;

  readonly find = (name: string): AnyTool | undefined => {
    if (this.isBeside(name)) return this.#sent.isActive(name) ? this.beside[name] : undefined;
    const { runsUnrevealed } = this.shared;
    const own = this.shared.own(name, this.driver.session);
    if (!this.#isAssembled && own === undefined && !this.#has(name)) return this.#ahead(name);
    const { names, definitions, isActive } = this.#sent;
    if (names.has(name)) return this.#shown(name, own, definitions.get(name));
    if (!this.#has(name) || !isActive(name)) return undefined;
    return runsUnrevealed && own !== undefined ? this.#shown(name, own, undefined) : this.#hidden(name, own);
  };

  /**
   * Returns a discovery tool before step 1. At that time AI SDK runs approved calls, which under a bridge profile are calls
   * of a discovery tool. Your program's own tools stay unchanged until then, because AI SDK parses approved calls with their
   * schemas again.
   */
  #ahead(name: string): AnyTool | undefined {
    this.#earlier ??= assembled(this.shared, this.driver.session, {}).definitions;
    const definition = this.#earlier.get(name);
    return definition && this.#discovery(name, definition);
  }

  #shown(name: string, own: AnyTool | undefined, definition: Definition | undefined): AnyTool {
    if (own !== undefined) return isProviders(own) ? own : this.#own(name, own, definition);
    if (this.#has(name)) return this.#listed(name, definition);
    return this.#discovery(name, definition);
  }

  /** Returns your program's own tool with a guarded `execute`, and with the stub's schema if the session sends a stub. */
  #own(name: string, own: AnyTool, definition: Definition | undefined): AnyTool {
    const { deferLoading: _, ...others } = own as AnyTool & { deferLoading?: boolean };
    const tool = { toModelOutput: this.#read, ...others };
    if (definition !== undefined && !isSame(definition, this.shared.definitions.get(name))) {
      const { validate } = asSchema(own.inputSchema);
      // AI SDK parses the arguments with your program's own schema, which has your program's parameter names.
      const names = parameterNames(this.driver.session, name);
      const read = validate && ((value: unknown) => validate(withOwnNames(value, names)));
      const inputSchema = jsonSchema(definition.inputSchema, read && { validate: read });
      Object.assign(tool, { description: definition.description, inputSchema });
    }
    if (own.execute === undefined) return tool as AnyTool;
    const execute = (input: unknown, context: ToolContext) => this.#runner.own(name, own, input, context);
    return { ...tool, execute } as AnyTool;
  }

  /** Returns a tool of the catalog that is not one of your program's AI SDK tools. */
  #listed(name: string, definition: Definition | undefined, isEarly = false): AnyTool {
    return {
      type: "dynamic",
      description: definition?.description ?? "",
      inputSchema: definition === undefined ? ANYTHING : jsonSchema(definition.inputSchema),
      needsApproval: (input: unknown, context: ApprovalContext) => this.#runner.asks(name, input, context),
      execute: (input: unknown, context: ToolContext) => this.#runner.other(name, input, context, isEarly),
      toModelOutput: this.#read,
    } as unknown as AnyTool;
  }

  /**
   * Returns a tool that was not sent. A call that will be refused needs no approval, and a call that was approved earlier
   * runs. `toolApproval` of ai 7 is always called and may rely on the schema, so invalid arguments are refused before it.
   */
  #hidden(name: string, own: AnyTool | undefined): AnyTool {
    const isEarly = !this.shared.runsUnrevealed;
    const listed = this.#listed(name, undefined, isEarly);
    if (!isEarly) return listed;
    const needsApproval = async (input: unknown, context: ApprovalContext) =>
      isApproved(context) && (await this.#runner.asks(name, input, context));
    if (own === undefined) return { ...listed, needsApproval } as AnyTool;
    const { onInputStart: _, onInputDelta: __, onInputAvailable: ___, ...others } = own;
    const tool = { toModelOutput: this.#read, ...others };
    const isRead = isSeven();
    const inputSchema = isRead ? own.inputSchema : ANYTHING;
    const execute = (input: unknown, context: ToolContext) => this.#runner.early(name, own, input, context, isRead);
    return { ...tool, inputSchema, needsApproval, execute } as AnyTool;
  }

  #discovery(name: string, definition: Definition | undefined): AnyTool {
    const listed = this.#listed(name, definition);
    if (!isBridge(definition?.inputSchema)) {
      return { ...listed, needsApproval: undefined, toModelOutput: this.#readWhole } as unknown as AnyTool;
    }
    const { session } = this.driver;
    const needsApproval = async (input: unknown, context: ApprovalContext) => {
      const outcome = session.forwarded(name, input);
      return outcome !== undefined && this.#runner.asks(outcome.modelName, outcome.arguments, context);
    };
    const toModelOutput = ({ toolCallId, input, output }: { toolCallId: string; input: unknown; output: unknown }) => {
      const { name: called, arguments: args } = (input ?? {}) as { name?: unknown; arguments?: unknown };
      const toOutput = this.shared.own(String(called), session)?.toModelOutput;
      if (toOutput !== undefined) return toOutput({ toolCallId, input: args, output });
      return session.named([String(called)]).get(String(called))?.skill
        ? this.#readWhole({ output })
        : this.#read({ output });
    };
    return { ...listed, needsApproval, toModelOutput } as unknown as AnyTool;
  }
}

/** A key to notice copies of the set: a spread and `Object.assign` read it, `Object.entries` does not. */
const COPY = Symbol("toolsift.copy");

/** Returns the error for a copied tool set: a copy has only the tools of one moment, without those that are loaded later. */
function copied(): ToolSiftError {
  const why = "conversation.tools was copied, and what the model finds later is not in a copy";
  const way = "pass conversation.tools itself, and give other tools to siftTools({ tools }) or to sift.with(id, { tools })";
  return new ToolSiftError("option_invalid", `${why}: ${way}`);
}

/** Makes a tool set that always shows the current state of its source. It cannot be written to or spread. */
export function liveTools<TOOLS extends ToolSet>({ names, enumerated, find, hasBegun }: Tools): TOOLS {
  const lookUp = (key: string | symbol) => {
    if (key === COPY) throw copied();
    return typeof key === "string" ? find(key) : undefined;
  };
  const refuse = () => false;
  // An object puts keys that look like numbers first; a proxy keeps the order of its source.
  return new Proxy({} as TOOLS, {
    get: (_, key) => lookUp(key),
    has: (_, key) => typeof key === "string" && find(key) !== undefined,
    ownKeys: () => {
      enumerated();
      return hasBegun() ? [...names()] : [COPY, ...names()];
    },
    getOwnPropertyDescriptor: (_, key) => {
      if (key === COPY) return { value: undefined, enumerable: true, configurable: true };
      const value = lookUp(key);
      return value && { value, enumerable: names().has(key as string), configurable: true };
    },
    set: refuse,
    defineProperty: refuse,
    deleteProperty: refuse,
    preventExtensions: refuse,
  });
}

/** Checks if the session sends the tool unchanged: no stub, and no definition that was repaired at registration. */
function isSame(shown: Definition, own: Definition | undefined): boolean {
  const text = ({ description, inputSchema }: Definition) => JSON.stringify([description, inputSchema]);
  return own !== undefined && text(shown) === text(own);
}

type ModelOutput = Awaited<ReturnType<NonNullable<Tool["toModelOutput"]>>>;

/** Converts a tool's answer to AI SDK's format of tool output. */
function modelOutput(session: Session, output: unknown, bounded: (text: string) => string): ModelOutput {
  const { text, parts } = session.answerText(output);
  const value = bounded(text);
  const hasImages = parts.some(({ image }) => image !== undefined);
  if (value !== text || ["string", "bigint"].includes(typeof output) || (parts.length > 0 && !hasImages))
    return { type: "text", value };
  if (hasImages) {
    const value = parts.map(({ text, image }) => (image === undefined ? { type: "text", text } : imagePart(image)));
    return { type: "content", value } as ModelOutput;
  }
  try {
    return { type: "json", value: (output ?? null) === null ? null : JSON.parse(text) };
  } catch {
    // A value that cannot be written as JSON would make the next request fail.
    return { type: "text", value };
  }
}

function imagePart({ data, mimeType: mediaType }: NonNullable<AnswerPart["image"]>) {
  if (isSeven()) return { type: "file", data: { type: "data", data }, mediaType };
  return { type: "image-data", data, mediaType };
}

/** Checks if the installed AI SDK is ai 7 or newer. */
export function isSeven(): boolean {
  const { specificationVersion: version } = defaultSettingsMiddleware({ settings: {} });
  return version !== "v3";
}
