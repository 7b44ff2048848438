/** Patterns over `server:tool`, in which `*` stands for any characters. */

import { ToolSiftError } from "../base/errors.js";
import { isList, kind } from "../base/values.js";

const MOST = 1_000;
const CHARS = 512;

/** Whether a tool of a server fits a pattern. */
export type Pattern = (server: string, tool: string) => boolean;

/**
 * Reads one pattern. Without a colon it names a server.
 *
 * @throws ToolSiftError `option_invalid`
 */
export function patternOf(what: string, given: unknown): Pattern {
  if (typeof given !== "string" || given === "" || given.length > CHARS) {
    throw new ToolSiftError("option_invalid", `${what} is ${kind(given)}; it must be a text such as "github:*"`);
  }
  // Server and tool are compared apart: a tool may have a colon in its name, and must not pass for another server's.
  const at = given.indexOf(":");
  const [servers, tools] = at < 0 ? [given, "*"] : [given.slice(0, at), given.slice(at + 1)];
  const [ofServer, ofTool] = [servers.split("*"), tools.split("*")];
  return (server, tool) => fits(ofServer, server) && fits(ofTool, tool);
}

/**
 * Reads a list of patterns.
 *
 * @throws ToolSiftError `option_invalid`
 */
export function patternsOf(key: string, given: unknown): Pattern[] | undefined {
  if (given === undefined) return undefined;
  if (!isList(given) || given.length > MOST) {
    const wanted = `a list of at most ${MOST} patterns`;
    throw new ToolSiftError("option_invalid", `options.${key} is ${kind(given)}; it must be ${wanted}`);
  }
  return given.map((one, at) => patternOf(`options.${key}[${at}]`, one));
}

/** Whether the parts stand in the text in their order, the first at its beginning, the last at its end. It takes linear time. */
function fits(parts: readonly string[], text: string): boolean {
  const [first = "", ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
