/** Builds the parameters of one request: adds the session's functions and prompt section to your program's config. */

import type {
  Content,
  FunctionDeclaration,
  GenerateContentConfig,
  GenerateContentParameters,
  Tool,
  ToolConfig,
} from "@google/genai";
import { kind } from "../../base/values.js";
import { ToolSiftError } from "../../base/errors.js";
import type { ModelRequest } from "../../index.js";
import { freed, nameOf, withoutCalling, withPrompt } from "../../wire/google.js";
import { fitted, LIMITS } from "../../wire/limits.js";
import { beside } from "../lib/own-tools.js";
import { conversationIn, wrong } from "../lib/params.js";

/** The parameters of the requests. `contents` is the conversation: replies and results of functions are appended to it. */
export type GoogleParams = Omit<GenerateContentParameters, "contents"> & { contents: Content[] };

/** The part of a run's state from which one request is built. */
export type GoogleRequest = Pick<ModelRequest<"google">, "tools" | "systemPrompt" | "session" | "step" | "signal">;

/**
 * Returns the parameters of one request. All functions are in one tool, because models refuse functions in several tools:
 * your program's functions come first, then the session's. The prompt section comes after your program's system instruction.
 * Mode `ANY`, which forces a call, is sent only in the first request of a run: if it were sent in every request, no run
 * would end.
 *
 * The API allows at most 512 function declarations. If there are more, the session evicts the least recently used tools.
 *
 * @throws ToolSiftError `limit_out_of_range` if eviction cannot reduce the functions to 512; `option_conflict` for a
 *   `cachedContent`, for calls with streamed arguments, for `allowedFunctionNames` of which none is declared, and for your
 *   program's function that has the name of a discovery tool; `option_invalid` for a tool that the SDK would run itself, and
 *   for invalid contents
 */
export function googleRequest(params: GoogleParams, request: GoogleRequest): GoogleParams {
  checkContents(params);
  const { systemInstruction, toolConfig, abortSignal, ...others } = params.config ?? {};
  const own = ownFunctions(params, request);
  const ofSession = fitted(sessionFunctions(request), own.length, request.session, LIMITS.google, nameOf);
  const tools = withFunctions(ownTools(params), [...own, ...ofSession]);
  const functions = functionsOf(tools);
  const names = checkConfig(others, toolConfig, functions, request);
  const { systemPrompt } = request;
  const instruction = systemPrompt === "" ? systemInstruction : withPrompt(systemInstruction, systemPrompt);
  const signal = either(abortSignal, request.signal);
  const config: GenerateContentConfig = { ...others };
  if (tools.length > 0) config.tools = tools;
  if (instruction !== undefined) config.systemInstruction = instruction;
  if (toolConfig) {
    const sent = functions.length === 0 ? withoutCalling(toolConfig) : withNames(toolConfig, names, request.step);
    if (sent !== undefined) config.toolConfig = sent;
  }
  if (signal !== undefined) config.abortSignal = signal;
  return { ...params, contents: [...params.contents], config };
}

/**
 * Returns the functions in your program's tools that are not in the catalog.
 *
 * @throws ToolSiftError `option_conflict` for a function that has the name of a discovery tool
 */
export function ownFunctions(params: GoogleParams, request: GoogleRequest): FunctionDeclaration[] {
  const { session } = request;
  return beside(functionsOf(ownTools(params)), { session, tools: sessionFunctions(request) }, nameOf);
}

/** Refuses a conversation to which nothing can be appended, or that has invalid contents. */
export function checkContents(params: GoogleParams | null | undefined): asserts params is GoogleParams {
  conversationIn(params, "contents", '[{ role: "user", parts: [{ text: "…" }] }]');
  const at = (params as GoogleParams).contents.findIndex(({ parts }) => !Array.isArray(parts));
  if (at !== -1) throw wrong(`params.contents[${at}] must be a content, { role, parts: […] }; it has no list of parts`);
}

/** Returns your program's tools. Refuses a tool that the SDK would run itself: the session could not check its calls. */
function ownTools({ config }: GoogleParams): Tool[] {
  const tools = config?.tools ?? [];
  const at = tools.findIndex((tool) => "callTool" in tool);
  if (at === -1) return tools as Tool[];
  const why = "is a callable tool, which the SDK would run by itself";
  const way = "register its tools in the catalog (toolsift/mcp does so for MCP clients), and run them in execute";
  throw wrong(`params.config.tools[${at}] ${why}; ${way}`);
}

function sessionFunctions({ tools }: GoogleRequest): FunctionDeclaration[] {
  return functionsOf(tools);
}

function functionsOf(tools: readonly Tool[]): FunctionDeclaration[] {
  return tools.flatMap((tool) => tool.functionDeclarations ?? []);
}

/** Returns your program's tools with all functions in one last tool, because models refuse functions in several tools. */
function withFunctions(tools: readonly Tool[], functions: readonly FunctionDeclaration[]): Tool[] {
  const others = tools.map(({ functionDeclarations: _, ...rest }) => rest).filter((rest) => Object.keys(rest).length > 0);
  return functions.length === 0 ? others : [...others, { functionDeclarations: [...functions] }];
}

/** Checks the config. Returns the names of `allowedFunctionNames` that this request declares; undefined without that list. */
function checkConfig(
  { cachedContent }: GenerateContentConfig,
  toolConfig: ToolConfig | null | undefined,
  functions: readonly FunctionDeclaration[],
  { session }: GoogleRequest,
): string[] | undefined {
  const { allowedFunctionNames: allowed, streamFunctionCallArguments } = toolConfig?.functionCallingConfig ?? {};
  if (cachedContent) {
    const why = "the API takes no tools and no system instruction together with cached content";
    throw new ToolSiftError("option_conflict", `params.config.cachedContent is ${kind(cachedContent)}; ${why}`);
  }
  if (streamFunctionCallArguments === true) {
    const why = "toolsift cannot read streamed arguments; leave this option out";
    throw new ToolSiftError("option_conflict", `functionCallingConfig.streamFunctionCallArguments is true; ${why}`);
  }
  if (allowed === undefined || allowed.length === 0) return undefined;
  const declared = new Set(functions.map(({ name }) => name));
  // `allowedFunctionNames` may also contain a tool's name in other formats, which becomes its name in Google's format.
  const known = session.named(allowed.filter((name) => !declared.has(name)));
  const asDeclared = allowed.map((name) => (declared.has(name) ? name : (known.get(name)?.googleName ?? name)));
  const names = asDeclared.filter((name) => declared.has(name));
  if (names.length > 0) return names;
  const listed = allowed.slice(0, 5).join(", ");
  const message = `of allowedFunctionNames (${listed}) none is declared in this request; name toolsift's search tools too`;
  throw new ToolSiftError("option_conflict", message);
}

/** Limits the allowed names to the declared ones. After the first request of a run, also lifts a forced call. */
function withNames(toolConfig: ToolConfig, names: string[] | undefined, step: number): ToolConfig {
  const { functionCallingConfig: calling } = toolConfig;
  if (calling === undefined) return toolConfig;
  const named = names === undefined ? calling : { ...calling, allowedFunctionNames: names };
  return { ...toolConfig, functionCallingConfig: step > 1 ? freed(named) : named };
}

function either(one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined {
  return one !== undefined && other !== undefined ? AbortSignal.any([one, other]) : (one ?? other);
}
