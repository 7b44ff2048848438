/** Writes texts about servers for the host. */

import { mayDownload } from "../upstream/installer.js";
import { neutralised } from "../suspicious/hidden.js";
import type { ToolNews } from "../types/index.js";
import type { McpStatus } from "./types.js";
import { cut } from "../base/values.js";

/** Characters of an error in a sentence; the whole error stands beside it. */
const REASON_CHARS = 500;

/** Tools that a text names at most. */
const NAMED = 5;

/**
 * The status of a server as a text for the host.
 *
 * @param installer what installs the server before it runs
 */
export function statusText(status: Omit<McpStatus, "message">, installer?: string): string {
  const { name, state, tools, rejected, held = [], suspicious = [], news = [], incomplete, packProblem, error } = status;
  const server = `The MCP server ${name}`;
  // A reason of several lines stands beside the sentence, whole.
  const [reason = ""] = (error ?? "").trim().split(/(?:; it wrote:)?\r?\n/, 1);
  const why = error === null ? "" : `: ${cut(reason, REASON_CHARS, "…").replace(/[.:]$/, "")}`;
  const count = tools === 1 ? "1 tool" : `${tools} tools`;
  const download = installer === undefined ? "" : `: ${mayDownload(installer)}`;
  if (state === "starting") return `${server} is still starting${download}. Its tools are added when it is connected.`;
  if (state === "reconnecting") return `${server} is gone${why}. Its tools stay while a new connection is tried.`;
  if (state !== "connected") {
    return `${server} ${state === "failed" ? "did not come up" : "is gone"}${why}. None of its tools are available.`;
  }
  if (error !== null) return `${server} could not list its tools again${why}. It keeps ${count} of its last list.`;
  const broken = rejected.length === 0 ? "" : ` Broken tools were left out: ${rejected.length}.`;
  const waiting = naming("Held until the host accepts them", held);
  const isNew = ({ added }: ToolNews) => added.length === 0;
  const fresh = naming("New beside pinned ones", news.filter(isNew));
  const grown = naming(
    "Used without what was added to them",
    news.filter((one) => !isNew(one)),
  );
  const flagged = suspicious.length === 0 ? "" : ` Suspicious texts: ${suspicious.length}.`;
  const partial = incomplete === null ? "" : ` Its list was not read to the end: ${incomplete}.`;
  const unpacked = packProblem === undefined ? "" : ` Packs were left out: ${packProblem}.`;
  return `${server} is connected with ${count}.${broken}${waiting}${fresh}${grown}${flagged}${partial}${unpacked}`;
}

function naming(what: string, tools: readonly { name: string }[]): string {
  const names = [...tools.slice(0, NAMED).map((tool) => tool.name), ...(tools.length > NAMED ? ["…"] : [])].join(", ");
  return tools.length === 0 ? "" : ` ${what}: ${neutralised(names)}.`;
}
