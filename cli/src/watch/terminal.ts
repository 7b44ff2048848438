/** What `mcp watch` writes to a terminal: the figures, the servers, and what happens, the latest last. */

import { oneLine } from "../output/escape.js";
import { colours } from "../output/print.js";
import { count, table } from "../output/table.js";
import type { Happened, Running } from "./running.js";
import type { State } from "./state.js";

/** What a screen of some size shows. */
export function screen({ gateways, quarantined, figures, problems }: State, rows: number, columns: number): string {
  const { tokensSaved, tokensSavedOfSent, searches } = figures;
  const calls = figures.tools.reduce((sum, one) => sum + one.calls, 0);
  const failed = figures.tools.reduce((sum, one) => sum + one.failed, 0);
  const searched = searches.found + searches.doubtful + searches.empty;
  const lines = [
    `${colours.bold("toolsift mcp watch")}  ${colours.dim("(Ctrl-C ends)")}`,
    "",
    `${colours.bold(count(Math.max(0, tokensSavedOfSent)))} tokens saved of what the servers send, ${count(Math.max(0, tokensSaved))} of what remains`,
    `${count(searched)} searches (${count(searches.empty)} empty), ${count(calls)} calls (${count(failed)} failed)`,
    ...problems.map((problem) => colours.red(oneLine(problem, columns))),
    "",
    ...serverLines(gateways, columns),
    ...quarantined.map(({ server, tool }) =>
      colours.yellow(`quarantined: ${oneLine(`${server}: ${tool}`, 80)}; approve it by mcp approve`),
    ),
    "",
  ];
  const events = gateways.flatMap(({ events = [] }) => events).sort((one, other) => one.time - other.time);
  const room = Math.max(3, rows - lines.length - 1);
  return [...lines, ...events.slice(-room).map((event) => eventLine(event, columns))].join("\n");
}

function serverLines(gateways: readonly Running[], columns: number): string[] {
  if (gateways.length === 0) return [colours.dim("No gateway runs. A client starts one with: npx toolsift mcp")];
  const rows = gateways.flatMap(({ servers, door, pid }) => {
    return servers.map(({ name, state, tools, quarantined, error }) => {
      const about = [
        ...(quarantined.length > 0 ? [`${quarantined.length} wait for approval`] : []),
        ...(error === undefined ? [] : [error]),
      ];
      return [
        oneLine(name, 30),
        state,
        String(tools),
        `${door} ${pid}`,
        oneLine(about.join("; "), Math.max(20, columns - 70)),
      ];
    });
  });
  const titles = [
    { title: "server" },
    { title: "state" },
    { title: "tools", isNumber: true },
    { title: "gateway" },
    { title: "" },
  ];
  return table(titles, rows).split("\n");
}

/** One event in a line. */
export function eventLine(event: Happened, columns = 200): string {
  const time = new Date(event.time).toTimeString().slice(0, 8);
  const text = oneLine(textOf(event), Math.max(20, columns - 20));
  return `${colours.dim(time)}  ${event.type.padEnd(8)}  ${isBad(event) ? colours.red(text) : text}`;
}

const isBad = (event: Happened): boolean => {
  return (event.type === "call" && event.outcome !== "ok") || (event.type === "server" && event.state === "down");
};

function textOf(event: Happened): string {
  switch (event.type) {
    case "search": {
      const { query, found, shown } = event;
      const loaded = shown.length > 0 ? `loaded ${shown.join(", ")}` : `named ${found.join(", ")}`;
      return `${JSON.stringify(query)}: ${found.length === 0 ? "nothing found" : loaded}`;
    }
    case "call":
      return `${event.server}: ${event.tool} ${event.outcome}${event.code === undefined ? "" : ` (${event.code})`}, ${event.ms} ms`;
    case "list":
      return `${event.tools} tools, ${count(event.tokens)} tokens instead of ${count(event.sentTokens)}`;
    case "server":
      return `${event.server} is ${event.state}${event.error === undefined ? "" : `: ${event.error}`}`;
    case "words": {
      const { written, kept, isWriting, error } = event.words;
      return `${event.server}: ${written} tools got words, ${kept} had some${isWriting ? ", going on" : ""}${error === null ? "" : `; ${error}`}`;
    }
  }
}
