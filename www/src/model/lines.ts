/**
 * Reads lines of a query and the tool that is right for it, in the forms that `toolsift eval` takes: `query → tool`,
 * `query -> tool`, a tab between them, or JSON with `query` and `tool`. Several right tools have `|` between them.
 */

export interface Line {
  /** Its number in the text, from 1. */
  line: number;
  query: string;
  tools: string[];
}

/** A line that cannot be read, or names a tool that does not exist. */
export interface BadLine {
  line: number;
  problem: string;
}

/** More lines than these are left out: the page measures, it does not benchmark. */
export const MAX_LINES = 500;

/** What stands between a query and its tool. The last one counts: a query may hold an arrow too. */
const BETWEEN = /^(.*)(?:\t|->|→)(.*)$/s;

export function readLines(text: string): { lines: Line[]; bad: BadLine[] } {
  const lines: Line[] = [];
  const bad: BadLine[] = [];
  for (const [at, written] of text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .entries()) {
    if (written.trim() === "" || written.trimStart().startsWith("#")) continue;
    const { query, tools } = written.trimStart().startsWith("{") ? ofJson(written) : ofText(written);
    if (query === "" || tools.length === 0) {
      bad.push({ line: at + 1, problem: `“${written.trim().slice(0, 60)}” has no query and tool with → between them.` });
    } else if (lines.length === MAX_LINES) {
      bad.push({ line: at + 1, problem: `At most ${MAX_LINES} lines are measured; the rest is left out.` });
      break;
    } else {
      lines.push({ line: at + 1, query, tools });
    }
  }
  return { lines, bad };
}

/** The same lines as a text. */
export function writeLines(lines: readonly Pick<Line, "query" | "tools">[]): string {
  return lines.map(({ query, tools }) => `${query} → ${tools.join(" | ")}`).join("\n");
}

const NOTHING = { query: "", tools: [] };

function ofText(written: string): Pick<Line, "query" | "tools"> {
  const [, query, tool] = BETWEEN.exec(written) ?? [];
  if (query === undefined || tool === undefined) return NOTHING;
  const tools = tool.split("|").map((one) => one.trim());
  return { query: query.trim(), tools: tools.filter((one) => one !== "") };
}

function ofJson(written: string): Pick<Line, "query" | "tools"> {
  try {
    const { query, tool } = JSON.parse(written) as { query?: unknown; tool?: unknown };
    const tools = Array.isArray(tool) ? (tool as unknown[]) : [tool];
    const isRight = typeof query === "string" && tools.every((one) => typeof one === "string" && one.trim() !== "");
    return isRight ? { query: query.trim(), tools: tools as string[] } : NOTHING;
  } catch {
    return NOTHING;
  }
}
