/** Reads the lines of `toolsift eval`: a query, and the tools that are right for it. */

import { Failure } from "../base/failure.js";
import { quoted } from "../output/escape.js";

/** One line: its number in the file, the query, and the tools of which one must be found. */
export interface Line {
  line: number;
  query: string;
  tools: string[];
}

/** Separates a query from its tool. The last one counts: a query may hold an arrow too. */
const BETWEEN = /^(.*)(?:\t|->|→)(.*)$/s;

/**
 * The lines of a text. JSON lines have `query` and `tool`; others have a tab, `->` or `→` between them.
 *
 * @throws Failure with the number of the first line that is wrong
 */
export function linesOf(text: string, from: string): Line[] {
  const lines = text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .flatMap((written, at) => {
      if (written.trim() === "" || written.trimStart().startsWith("#")) return [];
      const { query, tools } = written.trimStart().startsWith("{") ? ofJson(written) : ofText(written);
      if (query !== "" && tools.length > 0) return [{ line: at + 1, query, tools }];
      const wanted = 'a query and a tool: open a ticket -> create_issue, or {"query": "…", "tool": "…"}';
      throw new Failure(`line ${at + 1} of ${from} is ${quoted(written)}; it must hold ${wanted}`);
    });
  if (lines.length === 0) throw new Failure(`${from} holds no lines with a query and a tool`);
  return lines;
}

const NOTHING = { query: "", tools: [] };

function ofText(written: string): Omit<Line, "line"> {
  const [, query, tool] = BETWEEN.exec(written) ?? [];
  if (query === undefined || tool === undefined) return NOTHING;
  return {
    query: query.trim(),
    tools: tool
      .split("|")
      .map((one) => one.trim())
      .filter((one) => one !== ""),
  };
}

function ofJson(written: string): Omit<Line, "line"> {
  let value: unknown;
  try {
    value = JSON.parse(written);
  } catch {
    return NOTHING;
  }
  const { query, tool } = value as { query?: unknown; tool?: unknown };
  const tools = Array.isArray(tool) ? tool : [tool];
  const isRight = typeof query === "string" && tools.every((one) => typeof one === "string" && one.trim() !== "");
  return isRight ? { query: query.trim(), tools } : NOTHING;
}
