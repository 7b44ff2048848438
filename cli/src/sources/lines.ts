/** Reads the test queries of `toolsift eval`: each line has a query and the tools that are right for it. */

import { Failure } from "../base/failure.js";
import { quoted } from "../output/escape.js";

/** One line: its number in the file, its query, and the right tools. The query passes if a search finds one of them. */
export interface Line {
  line: number;
  query: string;
  tools: string[];
}

/** Matches a query, a separator and a tool. The last separator counts, because a query may hold an arrow too. */
const BETWEEN = /^(.*)(?:\t|->|→)(.*)$/s;

/**
 * Returns the lines of a text. A JSON line has `query` and `tool`. Any other line has a tab, `->` or `→` between the two.
 *
 * @throws Failure with the number of the first wrong line
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
