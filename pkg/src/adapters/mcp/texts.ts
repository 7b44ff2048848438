/** Writes texts about servers for the host, and bounds and escapes the texts of servers before they come into the prompt. */

import { neutralised } from "../../suspicious/hidden.js";
import { cut } from "../../mcp/definition.js";
import type { McpStatus } from "./types.js";

/** The most characters of one server's instructions, which every request carries. */
const INSTRUCTIONS_CHARS = 8_000;

/** What a sentence takes of an error, which stands whole beside it. */
const REASON_CHARS = 500;

/** Tools that a text names at most. */
const NAMED = 5;

/** The status of a server as a text for the host. */
export function statusText(status: Omit<McpStatus, "message">): string {
  const { name, state, tools, rejected, held = [], suspicious = [], incomplete, packProblem, error } = status;
  const server = `The MCP server ${name}`;
  const why = error === null ? "" : `: ${cut(error.trim(), REASON_CHARS, "…").replace(/\.$/, "")}`;
  const count = tools === 1 ? "1 tool" : `${tools} tools`;
  if (state === "starting") return `${server} is still starting. Its tools are added when it is connected.`;
  if (state === "reconnecting") return `${server} is gone${why}. Its tools stay while a new connection is tried.`;
  if (state !== "connected") {
    return `${server} ${state === "failed" ? "did not come up" : "is gone"}${why}. It has no tools now.`;
  }
  if (error !== null) return `${server} could not list its tools again${why}. It keeps ${count} of its last list.`;
  const broken = rejected.length === 0 ? "" : ` Broken tools were left out: ${rejected.length}.`;
  const names = [...held.slice(0, NAMED).map((tool) => tool.name), ...(held.length > NAMED ? ["…"] : [])].join(", ");
  const waiting = held.length === 0 ? "" : ` Held until the host accepts them: ${neutralised(names)}.`;
  const flagged = suspicious.length === 0 ? "" : ` Suspicious texts: ${suspicious.length}.`;
  const partial = incomplete === null ? "" : ` Incomplete: ${incomplete}.`;
  const unpacked = packProblem === undefined ? "" : ` Packs were left out: ${packProblem}.`;
  return `${server} is connected with ${count}.${broken}${waiting}${flagged}${partial}${unpacked}`;
}

/** What stands above the sections of all servers. */
export const INSTRUCTIONS_HEADING = "## What the servers say of their tools";

/** What looks like one of our delimiters: a tag named *instructions* in ASCII or in wide forms, and the heading. */
const TAG = /[<\uFF1C\uFE64](?=[\s/\uFF0F]*[i\uFF29\uFF49][n\uFF2E\uFF4E][s\uFF33\uFF53])/;
const HEADING = /^(?=[^\S\n]*#+[^\S\n]*what the servers)/;
const DELIMITERS = new RegExp(`${TAG.source}|${HEADING.source}`, "gim");

/**
 * One server's instructions for the prompt. They cannot end their section, begin another server's, or write our heading;
 * characters that nobody sees are shown as escapes, also in the name.
 */
export function instructionsText(name: string, instructions: string): string {
  const plain = neutralised(cut(instructions.replace(/\r\n?|[\u2028\u2029]/g, "\n"), INSTRUCTIONS_CHARS, "…"));
  const text = plain.replace(DELIMITERS, (mark) => (mark === "" ? "\\" : "&lt;"));
  const shown = JSON.stringify(neutralised(name)).replace(/[<>]/g, (mark) => (mark === "<" ? "\\u003c" : "\\u003e"));
  return `<instructions server=${shown}>\n${text}\n</instructions>`;
}
