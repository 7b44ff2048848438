/**
 * Plays the cases of this folder with the package. tests/cases.rs plays and records them natively. The format is in
 * README.md.
 */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "vitest";
import { ToolSift } from "toolsift";

const FOLDER = new URL("./", import.meta.url);
const MCP60 = JSON.parse(readFileSync(new URL("../vectors/catalogs/mcp60.json", import.meta.url), "utf8"));
const TOOL = /^(?:([^/(: ]+)\/)?([^(: {]+)(?:\{(\d+)\.\.(\d+)\})?(?:\((.*?)\))?(?:: (.*?))?(?: #(\w+))?$/;
const TAGS = {
  always: { deferral: "never" },
  insists: { deferral: "always" },
  reads: { annotations: { readOnlyHint: true } },
  writes: { annotations: { readOnlyHint: false, destructiveHint: false } },
  destroys: { annotations: { destructiveHint: true } },
};

/** `{x *3}` is `x x x `. */
const spread = (text) => text.replaceAll(/\{([^{}]*)\*(\d+)\}/g, (_, part, count) => part.repeat(Number(count)));
/** A name or more, `a, b`. */
const list = (text) => text.split(", ").filter((name) => name !== "");

/** A definition; in the package a skill has what reads its files, of which the core is told. */
function defined(json) {
  const { readable, ...definition } = JSON.parse(json);
  return readable ? { ...definition, read: () => "" } : definition;
}

/** The tools that a line describes. */
function toolsOf(line) {
  if (line === "@mcp60") return MCP60;
  if (line.startsWith("{")) return [defined(spread(line))];
  const [, server, name, from, to, parameters = "", description = "", tag] = TOOL.exec(line);
  const names = list(parameters);
  const properties = Object.fromEntries(names.map((one) => [one.replace("?", ""), { type: "string" }]));
  const inputSchema = { type: "object", properties, required: names.filter((one) => !one.endsWith("?")) };
  const more = { ...(server && { server }), ...(names.length > 0 && { inputSchema }), ...TAGS[tag] };
  return Array.from({ length: from === undefined ? 1 : to - from }, (_, at) => ({
    name: from === undefined ? name : `${name}${Number(from) + at}`,
    description: spread(description),
    ...more,
  }));
}

/** JSON, or in short the words of a search and the names of tools to add. */
function argumentsOf(name, rest) {
  if (rest === "" || /^(\{"|\{\}|\[")/.test(rest)) return rest || "{}";
  return JSON.stringify(name === "add_tool" ? { tool_names: list(rest) } : { query: spread(rest) });
}

function told({ kind, content, errorCode, error, modelName, arguments: args, server, session }) {
  if (kind === "refused") return `refused ${error.code}: ${error.message}`;
  if (kind === "dispatch") {
    const of = `${server === null ? "" : ` [${server}]`}${session === undefined ? "" : " of its own"}`;
    return `dispatched ${modelName} ${JSON.stringify(args)}${of}`;
  }
  return errorCode ? `failed ${errorCode}: ${content}` : content;
}

/** An answer, or what is wrong. */
function answered(ask) {
  try {
    return ask();
  } catch ({ code, message }) {
    return `${code}: ${message}`;
  }
}

const staleOf = ({ stale }) => (stale.length > 0 ? `, stale: ${stale.join(" ")}` : "");

/** What became of tools that were registered. */
function became({ unchanged = 0, rejected, repaired, enrichment, ...lists }) {
  const some = ["registered", "added", "changed", "removed"].filter((key) => lists[key]?.length > 0);
  const parts = [
    ...some.map((key) => `${key} ${lists[key].join(" ")}`),
    ...(unchanged > 0 ? [`${unchanged} unchanged`] : []),
    ...rejected.map(({ index, name, code, message }) => `${index} ${name} refused ${code}: ${message}`),
    ...repaired.map(({ name, repair }) => `repaired ${name} ${repair}`),
    ...(enrichment ? [`${enrichment.enriched} enriched${staleOf(enrichment)}`] : []),
  ];
  return parts.join("; ") || "nothing";
}

/** Options with a scope: `all`, or servers, tools of servers and `=names`. */
function scoped(text) {
  if (text === "") return undefined;
  const [inside, servers] = [true, false].map((is) => list(text).filter((one) => /[:=]/.test(one) === is));
  return { scope: text === "all" ? "all" : { servers, tools: inside.map((one) => one.replace("=", "")) } };
}

const names = (all) => all.join(" ") || "nothing";
const stateOf = ({ name, state }) => (state === "hidden" ? [] : [state === "deferred" ? name : `${name} (${state})`]);

/** The lines of a case with today's answers. */
function played(lines) {
  const options = lines.find((line) => line.startsWith("{ "));
  const given = lines.filter((line) => line.startsWith("    ")).flatMap((line) => toolsOf(line.trim()));
  let [sift, session, kept, turn, handles, scores, words] = [];
  const begin = () => {
    sift = new ToolSift(options ? JSON.parse(options) : {});
    assert.deepEqual(sift.register(given).rejected, []);
    [session, turn, handles, scores, words] = [sift.session("a"), {}, new Map(), {}, ""];
  };
  begin();
  const some = (text) => {
    if (/^[{[]/.test(text)) return [JSON.parse(spread(text))].flat();
    return list(text).flatMap(toolsOf);
  };
  const which = (server, inside) => ({
    ...(!["", "-"].includes(server) && { server }),
    ...(inside !== "" && { names: list(inside) }),
  });
  const written = () => (words === "" ? {} : { enrichment: words });
  const restore = (options) => {
    const restored = sift.restore(kept, options);
    session = restored.session;
    return names(restored.missing.map(({ name }) => name));
  };
  const host = {
    session: (id, inside) => {
      session = sift.session(spread(id), scoped(inside));
      handles.set(id, session);
    },
    handle: (id) => void (session = handles.get(id)),
    child: (id, inside) => {
      session = session.child(spread(id), scoped(inside));
      handles.set(id, session);
    },
    close: (id) => (sift.closeSession(id) ? "closed" : "nothing"),
    rescope: (...words) => names(session.rescope(scoped(words.join(" ").trimEnd()).scope)),
    elsewhere: begin,
    keep: () => JSON.stringify((kept = session.snapshot())),
    evict: (tools, tokens) => {
      const count = (key, text) => (text === "-" ? {} : { [key]: Number(text) });
      return names(session.evict({ ...count("tools", tools), ...count("tokens", tokens) }));
    },
    restore: (...words) => restore(scoped(words.join(" ").trimEnd())),
    replace: () => restore({ replace: true }),
    seen: () => names(session.tools().flatMap(stateOf)),
    at: (now) => void (turn = { now: Number(now) }),
    conceal: (...words) => void session.conceal(list(words.join(" ").trimEnd())),
    reveal: (...words) => void session.reveal(list(words.join(" ").trimEnd())),
    register: (server, tools) => became(sift.register(some(tools), { ...(server !== "-" && { server }), ...written() })),
    sync: (server, tools) => became(sift.sync(server, some(tools), written())),
    unregister: (server, inside) => names(sift.unregister(which(server, inside))),
    "own-register": (server, tools) => became(session.register(some(tools), { server, ...written() })),
    "own-sync": (server, tools) => became(session.sync(server, some(tools))),
    "own-unregister": (server, inside) => names(session.unregister(which(server, inside))),
    index: () => {
      sift = ToolSift.fromIndex(sift.exportIndex(), options ? JSON.parse(options) : {});
      session = sift.session("a");
    },
    scores: (...json) => void ([scores, turn] = [JSON.parse(json.join(" ")), { scores: JSON.parse(json.join(" ")) }]),
    words: (...json) => void (words = json.join(" ").trim() === "" ? "" : `${words}${json.join(" ")}\n`),
    sent: (format, name) => {
      const { tools } = session.assemble({ format });
      const all = tools[0]?.functionDeclarations ?? tools;
      return all
        .map((tool) => JSON.stringify(tool))
        .filter((tool) => tool.includes(`"${name}"`))
        .join("\n");
    },
    held: (format) =>
      session
        .heldBack({ format })
        .map(({ definition }) => JSON.stringify(definition))
        .join("\n") || "nothing",
    next: () => void session.assemble(),
    prompt: () => session.assemble().systemPrompt,
    tools: () => names(session.assemble({ format: "mcp" }).tools.map(({ name }) => name)),
    revealed: () => names(session.revealed),
    unmatched: () => names(session.unmatched()),
    ahead: (...words) => names(session.prefetch(spread(words.join(" ").trimEnd()))),
    why: (tool, query) => sift.explain(query, tool, { session: session.id }).reason,
  };
  const act = {
    ">": (name, rest) => told(session.call(name, argumentsOf(name, rest), turn)),
    "!": (name, rest) => host[name](...(/^(\S*) ?(.*)$/.exec(rest) ?? []).slice(1)),
    "?": (_name, _rest, words) => {
      const { stage, confidence, hits } = sift.search(spread(words), { session: session.id, scores });
      return `${[stage, confidence].join(" ").trim()}: ${hits.map(({ name }) => name).join(" ")}`.trim();
    },
  };
  return lines.flatMap((recorded) => {
    const [line] = recorded.split(" → ");
    if (!/^[>!?] /.test(line)) return [line];
    const words = line.slice(2);
    const [, name, rest] = /^(\S*) ?(.*)$/.exec(words);
    const answer = answered(() => act[line[0]](name, rest, words));
    if (answer === undefined) return [line];
    return answer.includes("\n")
      ? [line, ...answer.split("\n").map((one) => `  | ${one}`.trimEnd())]
      : [`${line} → ${answer}`];
  });
}

for (const file of readdirSync(FOLDER).filter((name) => name.endsWith(".md") && name !== "README.md")) {
  const [, ...cases] = readFileSync(new URL(file, FOLDER), "utf8").split(/^## /m);
  for (const one of cases) {
    const lines = one.split("\n");
    test(`${file.replace(".md", "")}: ${lines[0]}`, () => {
      assert.deepEqual(played(lines.filter((line) => !line.startsWith("  |"))), lines);
    });
  }
}
