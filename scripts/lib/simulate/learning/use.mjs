/** Plays the sessions in which labelled queries lead to calls, with the package's own loop, and keeps the events of each. */

import { needsOf } from "../../eval/metrics.mjs";
import { definitionsOf } from "./register.mjs";

/** Hits of a search that the one who asks may take by mistake: as many as a person reads. */
const CONFUSED = 5;

/**
 * The events of one session for each query, with the tools that it calls: a search with the query; then, for each need, a
 * call of the tool that meets it and stands highest in what the search found; where none does, a second search with the
 * tool's own name before it. Queries that need nothing have no session.
 */
export async function sessionsOf({ ToolSift, runTools }, { name: set, tools, queries }) {
  const sift = new ToolSift({ activation: "on", limits: { tools: Math.max(tools.length, 1) } });
  try {
    const shownAs = new Map(definitionsOf(sift, tools).map(({ modelName, tool }) => [tool.name, modelName]));
    const known = new Map(sift.tools().map((info) => [info.name, info]));
    const sessions = [];
    for (const [at, query] of queries.entries()) {
      const session = sift.session(`${set}-${at}`);
      sessions.push(await played(runTools, session, query, shownAs, known));
      session.close();
    }
    return sessions;
  } finally {
    sift.dispose();
  }
}

async function played(runTools, session, query, shownAs, known) {
  const events = [];
  const found = () => events.flatMap((event) => (event.type === "search" ? event.found : []));
  // What comes next is known when the searches before it have answered.
  const replies = replyTo(query, shownAs, found);
  const send = () => ({ calls: replies.next().value ?? [] });
  await runTools(session, { send, execute: () => "done", maxSteps: 100, onEvent: (event) => void events.push(bare(event)) });
  const firsts = events.find(({ type }) => type === "search")?.found ?? [];
  const confused = firsts.slice(0, CONFUSED).map((modelName) => known.get(modelName));
  return { events, confused };
}

/** An event without what no learner reads. */
const bare = ({ attributes: _, ...event }) => event;

function* replyTo(query, shownAs, found) {
  yield [{ name: "search_tools", args: { query: query.query } }];
  for (const group of needsOf(query)) {
    const names = group.flatMap((name) => shownAs.get(name) ?? []);
    if (names.length === 0) continue;
    const wanted = () => found().find((name) => names.includes(name)) ?? names[0];
    if (!found().includes(wanted())) yield [{ name: "search_tools", args: { query: words(names[0]) } }];
    yield [{ name: "add_tool", args: { tool_names: [wanted()] } }];
    yield [{ name: wanted(), args: {} }];
  }
}

/** A name as somebody writes it who remembers it. */
const words = (name) => name.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/[_.-]+/g, " ");
