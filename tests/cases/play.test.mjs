/** Plays the cases of this folder over the package, as tests/cases.rs does natively, which also records them. README.md has the form. */

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

/** The tools that a line describes. */
function toolsOf(line) {
  if (line === "@mcp60") return MCP60;
  if (line.startsWith("{")) return [JSON.parse(spread(line))];
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

function told({ kind, content, errorCode, error, modelName, arguments: args }) {
  if (kind === "refused") return `refused ${error.code}: ${error.message}`;
  if (kind === "dispatch") return `dispatched ${modelName} ${JSON.stringify(args)}`;
  return errorCode ? `failed ${errorCode}: ${content}` : content;
}

/** The lines of a case with today's answers. */
function played(lines) {
  const options = lines.find((line) => line.startsWith("{ "));
  const sift = new ToolSift(options ? JSON.parse(options) : {});
  const given = lines.filter((line) => line.startsWith("    ")).flatMap((line) => toolsOf(line.trim()));
  assert.deepEqual(sift.register(given).rejected, []);
  let session = sift.session("a");
  let turn = {};
  const names = (all) => all.join(" ") || "nothing";
  const some = (text) => (text.startsWith("{") ? [JSON.parse(text)] : list(text).flatMap(toolsOf));
  const host = {
    session: (id, inside) => {
      const servers = list(inside).filter((one) => !one.includes(":"));
      const scope = { servers, tools: list(inside).filter((one) => one.includes(":")) };
      session = sift.session(id, inside === "" ? undefined : { scope });
    },
    at: (now) => void (turn = { now: Number(now) }),
    conceal: (...words) => void session.conceal(list(words.join(" ").trimEnd())),
    reveal: (...words) => void session.reveal(list(words.join(" ").trimEnd())),
    register: (server, tools) => void sift.register(some(tools), { server }),
    sync: (server, tools) => void sift.sync(server, some(tools)),
    unregister: (server) => void sift.unregister({ server }),
    next: () => void session.assemble(),
    prompt: () => session.assemble().systemPrompt,
    tools: () =>
      session
        .assemble({ format: "mcp" })
        .tools.map(({ name }) => name)
        .join(" "),
    revealed: () => names(session.revealed),
    unmatched: () => names(session.unmatched()),
    ahead: (...words) => names(session.prefetch(spread(words.join(" ").trimEnd()))),
    why: (tool, query) => sift.explain(query, tool, { session: session.id }).reason,
  };
  const act = {
    ">": (name, rest) => told(session.call(name, argumentsOf(name, rest), turn)),
    "!": (name, rest) => host[name](...(/^(\S*) ?(.*)$/.exec(rest) ?? []).slice(1)),
    "?": (_name, _rest, words) => {
      const { stage, confidence, hits } = sift.search(spread(words), { session: session.id });
      return `${[stage, confidence].join(" ").trim()}: ${hits.map(({ name }) => name).join(" ")}`.trim();
    },
  };
  return lines.flatMap((recorded) => {
    const [line] = recorded.split(" → ");
    if (!/^[>!?] /.test(line)) return [line];
    const words = line.slice(2);
    const [, name, rest] = /^(\S*) ?(.*)$/.exec(words);
    const answer = act[line[0]](name, rest, words);
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
