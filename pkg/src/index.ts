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
 * - `base/`, `types/`: helpers, errors and checks; the public types of parameters and results
 * - `wire/`: the APIs of vendors
 * - `core/`: `ToolSift` and `Session` over the wasm, which decides about tools; `entry/` starts it in each runtime
 * - `trust/`: quotes servers' texts safely, pins definitions, keeps changed ones until a person approves them
 * - `servers/`, `upstream/`, `skills/`: the entries of `mcpServers`; one MCP server; skills of folders and servers
 * - `loop/`, `hop/`: asks the model, runs its calls, asks again; the same loop inside one request, for proxy and middleware
 * - `packs/`, `author/`: everyday words for the tools of known servers; has a model write such words; checks definitions
 * - `mcp/`: all MCP servers of one `ToolSift`; `store/`: saves sessions outside the process; `otel/`: OpenTelemetry spans
 * - `door/`, `adapters/`: the function `toolsift()`, and the code for each SDK
 * - `gateway/`, `proxy/`: servers in front of MCP servers and in front of model APIs, for programs that do not change
 *
 * | question | files |
 * |---|---|
 * | What does `toolsift()` do? | `adapters/<sdk>/toolsift`, `door/door` |
 * | Which options does `toolsift()` have? | `door/options`, `base/shape`; of the catalog, also `src/options/settings.rs` |
 * | What happens on a tool call from an SDK? | `adapters/<sdk>`, `loop/driver`, `core/session` |
 * | What is searched before the model is asked (`prefetch`)? | `loop/ahead` |
 * | What happens if a server hangs or ends? | `upstream/link`, `upstream/attempts`, `upstream/call`, `base/wait` |
 * | What is quarantined, and how is it approved? | `trust/guard`, `trust/book`, `gateway/admission` |
 * | How is a session saved, for example in Redis? | `store/store`, `store/redis`; `src/session/record.rs` merges records |
 * | How does an answer stream through the proxy? | `proxy/stream`, `proxy/wires/*-stream` |
 * | How is a vendor's hosted tool search emulated? | `proxy/emulate/index`, `proxy/emulate/responses` |
 * | What is the import `toolsift:self`? | the package's own entry for the runtime; see `scripts/lib/bundle.mjs` |
 */

export type { LoopOptions, RunResult, RunSettings } from "./door/loop-door.js";
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
