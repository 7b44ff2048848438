/**
 * Tool search for language-model agents: carry thousands of tools, pay for the few that are used.
 *
 * ```ts
 * import { ToolSift } from "toolsift";
 *
 * const sift = new ToolSift();
 * sift.register((await mcpClient.listTools()).tools, { server: "github" });
 *
 * const session = sift.session("chat-42");
 * const { tools, systemPrompt } = session.assemble({ format: "openai" }); // send these to the model
 * const outcome = session.call("search_tools", { query: "open a ticket" }); // the model called a tool
 * ```
 *
 * The folders; each uses only those above it.
 *
 * - `base/`, `types/`: values, errors and checks; the types of what is taken and returned
 * - `wire/`: the APIs of vendors
 * - `core/`: `ToolSift` and `Session` over the wasm, which decides about tools; `entry/` starts it in each runtime
 * - `trust/`: texts of others within ours, pins, and what waits for a person
 * - `servers/`, `upstream/`, `skills/`: the entries of `mcpServers`; one MCP server; skills of folders and servers
 * - `loop/`, `hop/`: asks, settles and asks again; the same inside one call of a model
 * - `packs/`, `author/`: words that people use for tools, and how they are written; the doctor
 * - `mcp/`: the servers of a catalog; `store/`: sessions beyond a process; `otel/`: spans
 * - `door/`, `adapters/`: `toolsift()`, and what each SDK needs of its own
 * - `gateway/`, `proxy/`: for programs in which no line of code changes
 */

export type { RunResult, RunSettings } from "./door/loop-door.js";
export type { LoopOptions } from "./door/loop-options.js";
export type { OwnTool } from "./door/own-tools.js";
export type * from "./door/types.js";
export type { User, UserOptions } from "./door/user.js";
export { ToolSiftError } from "./base/errors.js";
export type { AnswerOptions } from "./loop/bound.js";
export type { Attribute, DispatchEvent, RefuseEvent, RevealEvent, SearchEvent, ToolEvent } from "./loop/events.js";
export { runTools } from "./loop/run.js";
export type * from "./loop/types.js";
export { Session } from "./core/session.js";
export { ToolSift } from "./core/sift.js";
export type * from "./types/index.js";
