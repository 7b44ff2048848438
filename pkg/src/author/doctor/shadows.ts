/** Finds tools that hide each other: the same name on several servers, or a text that finds another tool first. */

import { grouped } from "../grouped.js";
import { bare, concerned, listed, namesOf, parametersOf, wordsOfName } from "./text.js";
import type { Check, Examined, Found, Tool } from "./check.js";

/** The minimum lead of the other tool's score, as a share of that score. Below it, the ranker sees both as equal. */
const MARGIN = 0.02;

export const shadows: Check = {
  name: "shadows",
  title: "shadow each other",
  *run(examined: Examined): Iterable<Found> {
    const twins = sameNames(examined.tools);
    for (const { servers, tools, isCopy } of twins) {
      const [first, second] = servers;
      const names = listed([...new Set(namesOf(tools))]);
      yield {
        level: isCopy ? "warning" : "note",
        server: first!,
        ...concerned(tools),
        message: isCopy
          ? `${second} has the same tools with the same descriptions: ${names}`
          : `${second} has tools of the same names: ${names}`,
        advice: isCopy
          ? "Leave one of the two servers out."
          : "Clients that put no server's name before a tool's refuse one of them; name the service in the tools' names.",
      };
    }
    yield* overshadowed(examined);
  },
};

interface Twins {
  servers: [string, string];
  tools: Tool[];
  /** True if their descriptions are the same too. */
  isCopy: boolean;
}

function sameNames(tools: readonly Tool[]): Twins[] {
  const pairs = new Map<string, Twins>();
  for (const group of grouped(tools, ({ originalName }) => originalName).values()) {
    for (const [at, one] of group.entries()) {
      for (const other of group.slice(at + 1)) {
        if (one.server === other.server) continue;
        const isCopy = one.description === other.description;
        const key = JSON.stringify([one.server, other.server, isCopy]);
        const pair = pairs.get(key) ?? { servers: [one.server, other.server], tools: [], isCopy };
        pairs.set(key, pair);
        pair.tools.push(one);
      }
    }
  }
  return [...pairs.values()];
}

function* overshadowed({ tools, find, at }: Examined): Iterable<Found> {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  // If many descriptions begin with the same words, that is reported instead, because it has to change first.
  const reported = new Set(alike(tools).flat());
  for (const [done, tool] of tools.entries()) {
    if (done % 50 === 0) at(done);
    if (tool.opening === "" || reported.has(tool)) continue;
    const hits = find(tool.opening);
    const own = hits.find(({ name }) => name === tool.name);
    const [best] = hits;
    const other = best && byName.get(best.name);
    if (own === undefined || other === undefined || other === tool) continue;
    if (best!.score - own.score < MARGIN * best!.score || isExpected(tool, other)) continue;
    const isOwn = other.server === tool.server;
    const place = isOwn ? "" : ` of ${other.server}`;
    yield {
      level: "warning",
      server: tool.server,
      tool: tool.originalName,
      message: `its own first sentence finds ${JSON.stringify(other.originalName)}${place} first`,
      advice: isOwn
        ? `Say in the first sentence what ${JSON.stringify(tool.originalName)} does that the other does not.`
        : "Name the service in the first sentence, or leave one of the two servers out.",
    };
  }
}

/** Checks if the result is expected: the sentence names the other tool, or two services do the same thing. */
function isExpected(tool: Tool, other: Tool): boolean {
  const isNamed = bare(tool.opening).includes(bare(other.originalName));
  const isSame = bare(tool.originalName) === bare(other.originalName) || tool.description === other.description;
  return isNamed || isSame;
}

/** The maximum number of parameters whose names are searched with the tool's name. */
const MOST_PARAMETERS = 20;
/** The minimum number of equal first sentences that are reported as one finding. */
const ALIKE = 3;

export const findable: Check = {
  name: "findable",
  title: "cannot be found",
  *run({ tools, find, at }: Examined): Iterable<Found> {
    const openings = alike(tools);
    for (const group of openings) {
      const [first] = group as [Tool];
      yield {
        level: "warning",
        server: first.server,
        ...concerned(group),
        message:
          `${group.length} descriptions begin with the same words, ${JSON.stringify(first.opening.slice(0, 60))}: ` +
          "they tell no tool from another",
        advice: "Begin each description with a sentence that says what this tool does and to what.",
      };
    }
    const reported = new Set(openings.flat());
    for (const [done, tool] of tools.entries()) {
      if (done % 50 === 0) at(done);
      const missed = waysOf(tool, reported.has(tool)).filter(
        ({ query }) => query !== "" && !isFound(tool, find(query), tools),
      );
      if (missed.length === 0) continue;
      yield {
        level: "warning",
        server: tool.server,
        tool: tool.originalName,
        message: `a search by ${missed.map(({ way }) => way).join(" and by ")} does not find it among the first five`,
        advice: "Say in the first sentence of the description what the tool does, in the words of those who need it.",
      };
    }
  },
};

/** Returns groups of a server's tools whose descriptions begin with the same sentence, which is usually a heading. */
export function alike(tools: readonly Tool[]): Tool[][] {
  const groups = grouped(tools, ({ server, opening }) => (opening === "" ? undefined : `${server}\n${bare(opening)}`));
  return [...groups.values()].filter((group) => group.length >= ALIKE);
}

/** Returns the searches of a person who knows the tool, each with its query. */
function waysOf(tool: Tool, isAlike: boolean): { way: string; query: string }[] {
  const name = wordsOfName(tool.originalName);
  const parameters = parametersOf(tool).slice(0, MOST_PARAMETERS).map(wordsOfName).join(" ");
  return [
    { way: "its title", query: tool.title ?? name },
    ...(isAlike ? [] : [{ way: "its first sentence", query: tool.opening }]),
    { way: "its name and parameters", query: parameters === "" ? "" : `${name} ${parameters}` },
  ];
}

/** Checks if a search found the tool, or a tool with the same description, which another check reports as a copy. */
function isFound(tool: Tool, hits: { name: string }[], tools: readonly Tool[]): boolean {
  const names = new Set(hits.map(({ name }) => name));
  if (names.has(tool.name)) return true;
  return tools.some((other) => names.has(other.name) && other.description === tool.description);
}
