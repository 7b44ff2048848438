/** Scripted conversations: what a user wants, and which tool the model then uses. A catalog plays those that it has tools for. */
import type { SearchResult, ToolInfo } from "toolsift";
import type { Step } from "./script.ts";

interface Task {
  /** What the user says. */
  say: string;
  /** What the model searches for. */
  query: string;
  /** The tool that does it; null where the user asks for something that no tool does. */
  wants: RegExp | null;
  /** The tool was used before: the model calls it without a search. */
  again?: true;
}

const SCRIPTS: readonly { title: string; tasks: readonly Task[] }[] = [
  {
    title: "Report a bug",
    tasks: [
      { say: "Is there already an issue about the login page?", query: "search issues", wants: /search.*issue|list.*issue/ },
      { say: "No? Then open one.", query: "create an issue", wants: /create.*issue/ },
      { say: "Tell the team about it.", query: "post a message to a channel", wants: /(post|send).*message/ },
    ],
  },
  {
    title: "Work with files",
    tasks: [
      {
        say: "What is in the project folder?",
        query: "list the files of a directory",
        wants: /list_directory$|directory.*list/,
      },
      { say: "Show me the readme.", query: "read a text file", wants: /read_text_file|read_file|get_file/ },
      { say: "Correct its first line.", query: "edit a file", wants: /edit_file|update_file|write_file|create_or_update/ },
    ],
  },
  {
    title: "A working day",
    tasks: [
      { say: "What is new in our issues?", query: "list issues", wants: /list.*issues|search.*issues/ },
      { say: "Open one for the broken search.", query: "create an issue", wants: /create.*issue/ },
      { say: "And one for the slow start page.", query: "create an issue", wants: /create.*issue/, again: true },
      { say: "Write to the team.", query: "post a message to a channel", wants: /(post|send).*message/ },
      { say: "Book a table for tonight.", query: "reserve a table in a restaurant", wants: null },
      {
        say: "Read the notes of the last meeting.",
        query: "read a text file",
        wants: /read_text_file|read_file|get_file_contents/,
      },
      { say: "Propose my branch for merging.", query: "create a pull request", wants: /create_pull_request/ },
      { say: "Thank the team.", query: "post a message to a channel", wants: /(post|send).*message/, again: true },
    ],
  },
];

/** Tasks of the conversation that is made of a catalog's own tools. */
const SPREAD = 6;

/** A task fits where its tool is among so many hits. */
const TOP = 5;

/** Every query that `scriptsFor` may ask. */
export const SCRIPT_QUERIES: readonly string[] = SCRIPTS.flatMap(({ tasks }) => tasks.map(({ query }) => query));

export function scriptsFor(
  tools: readonly ToolInfo[],
  ask: (query: string, limit: number) => SearchResult | null,
): { title: string; steps: Step[] }[] {
  const written = SCRIPTS.map(({ title, tasks }) => ({ title, steps: ended(tasks.flatMap((task) => stepsOf(task, ask))) }));
  const fitting = written.filter(({ steps }) => steps.filter((step) => step.kind === "use").length > 1);
  const spread = spreadOver(tools, SPREAD);
  return spread.length === 0
    ? fitting
    : [...fitting, { title: `${spread.length / 3} tools of this catalog`, steps: ended(spread) }];
}

/** A conversation of so many turns, of which each needs a tool that was not needed before, and ends with an answer. */
export function spreadScript(tools: readonly ToolInfo[], turns: number): Step[] {
  return spreadOver(tools, turns).flatMap((step): Step[] => (step.kind === "use" ? [step, { kind: "answer" }] : [step]));
}

/** What the user asked last is answered too. */
function ended(steps: Step[]): Step[] {
  return [...steps, { kind: "answer" }];
}

function stepsOf({ say, query, wants, again }: Task, ask: (query: string, limit: number) => SearchResult | null): Step[] {
  if (wants === null)
    return [
      { kind: "say", text: say },
      { kind: "search", query },
    ];
  const name = ask(query, TOP)?.hits.find((hit) => wants.test(hit.name))?.name;
  if (name === undefined) return [];
  const use: Step = { kind: "use", name };
  return again ? [{ kind: "say", text: say }, use] : [{ kind: "say", text: say }, { kind: "search", query }, use];
}

/** A conversation about tools that stand far apart in the catalog, asked for in their own words. */
function spreadOver(tools: readonly ToolInfo[], turns: number): Step[] {
  const described = tools.filter((tool) => tool.description.trim() !== "" && tool.state !== "hidden");
  const every = Math.max(1, Math.floor(described.length / turns));
  const chosen = described.filter((_, index) => index % every === 0).slice(0, turns);
  return chosen.flatMap((tool): Step[] => {
    const query = firstWords(tool.description);
    return [
      { kind: "say", text: `${query}, please.` },
      { kind: "search", query },
      { kind: "use", name: tool.name },
    ];
  });
}

/** The first sentence of a description, without its end and not longer than a line. */
function firstWords(description: string): string {
  const sentence = description.trim().split(/[.\n]/)[0] ?? "";
  return sentence.split(/\s+/).slice(0, 8).join(" ");
}
