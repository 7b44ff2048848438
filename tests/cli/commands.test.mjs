/**
 * Does the command line do what its help says?
 * 1. Help with examples at every level, the version, and suggestions for what is misspelt; exit codes 0, 1 and 2.
 * 2. Tools in every form and several sources at once: files, a folder, the standard input.
 * 3. `size`, `search`, `explain`, `eval` and `index`, for people and as JSON.
 * 4. Nothing that a definition holds reaches the terminal as a control character, and a reader may stop reading.
 */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ToolSift } from "toolsift";
import { programOf } from "../../cli/dist/main.js";
import { BIN, CHAT, folder, tool, toolsift, TRACKER, valuesOf } from "./command-line.mjs";
import { FORMATS } from "../apis/formats.mjs";

const cwd = folder({ "tracker.json": TRACKER, "chat.json": CHAT });
const run = (...args) => toolsift(args, { cwd });
const json = async (...args) => {
  const { code, stdout, stderr } = await run(...args, "--json");
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
};

test("every command has help with examples", async () => {
  const names = (await programOf()).commands.map((command) => command.name());
  assert.ok(names.includes("doctor"));
  for (const args of [[], ...names.map((name) => [name])]) {
    const { code, stdout, stderr } = await run(...args, "--help");
    assert.equal(code, 0);
    assert.match(stdout, /Usage: toolsift[\s\S]*Examples:/, args.join(" "));
    assert.equal(stderr, "");
  }
  assert.match((await run()).stdout, /Commands:/);
  // What stands under an error, "… --help has examples", holds for these too.
  for (const name of ["status", "approve", "login", "logout", "add", "remove", "clients"]) {
    const help = await run("mcp", "help", name);
    assert.equal(help.code, 0);
    assert.match(help.stdout, new RegExp(`Usage: toolsift mcp ${name} [\\s\\S]*Examples:\n`), name);
  }
  assert.doesNotMatch((await run("size", "--help")).stdout, /default: (none|\[\])/);
});

test("--version is that of the package", async () => {
  const { version } = JSON.parse(readFileSync(new URL("../../cli/package.json", import.meta.url), "utf8"));
  assert.deepEqual(await run("--version"), { code: 0, signal: null, stdout: `${version}\n`, stderr: "" });
});

/** A command that ends with a code and says why, in a line for people. */
async function fails(args, expected, message) {
  const { code, stdout, stderr } = await run(...args);
  assert.deepEqual([code, stdout], [expected, ""]);
  assert.match(stderr, message);
  assert.doesNotMatch(stderr, /\n\s+at /);
}

const WRONG = [
  ["a command that is misspelt", ["serch", "x"], /unknown command 'serch'[\s\S]*Did you mean search\?/],
  ["an option that is misspelt", ["size", "--fromat", "mcp"], /unknown option '--fromat'[\s\S]*Did you mean --format\?/],
  ["a value that is not allowed", ["size", "--format", "xml", "tracker.json"], /Allowed choices are openai/],
  ["a number that is none", ["search", "x", "tracker.json", "-n", "many"], /whole number from 1 to 1000/],
  ["a share beyond 1", ["eval", "x", "tracker.json", "--fail-under", "80"], /number from 0 to 1/],
  ["a missing argument", ["search"], /missing required argument 'query'/],
  ["an empty query", ["search", " ", "tracker.json"], /query is empty/],
  ["no source", ["size"], /name a source/],
  ["a check that does not exist", ["doctor", "--check", "spelling", "tracker.json"], /Allowed are vendors, /],
  ["quotes that are not closed", ["size", "--server", "npx 'x"], /quote that is not closed/],
  ["two formats of the answer", ["doctor", "--json", "--markdown", "tracker.json"], /cannot be used with/],
];

for (const [what, args, message] of WRONG) {
  test(`${what} is a wrong command line`, () => fails(args, 2, message));
}

test("tools are read in every form", async () => {
  const { tools } = TRACKER;
  const anthropic = tools.map(({ inputSchema, ...rest }) => ({ ...rest, input_schema: inputSchema }));
  const google = [
    { functionDeclarations: tools.map(({ inputSchema, ...rest }) => ({ ...rest, parametersJsonSchema: inputSchema })) },
  ];
  const openai = tools.map(({ inputSchema, ...rest }) => ({
    type: "function",
    function: { ...rest, parameters: inputSchema },
  }));
  const forms = folder({
    "array.json": tools,
    "answer.json": { jsonrpc: "2.0", id: 1, result: { tools } },
    "anthropic.json": anthropic,
    "google.json": google,
    "openai.json": openai,
    "commented.json": `// the tools\n{ "tools": ${JSON.stringify(tools)}, }`,
    "marked.json": `\uFEFF${JSON.stringify(tools)}`,
  });
  const expected = await json("size", "tracker.json", "--format", "mcp");
  assert.equal(expected.full.tools, 3);
  for (const name of ["array", "answer", "anthropic", "google", "openai", "commented", "marked"]) {
    const { full } = await json("size", join(forms, `${name}.json`), "--format", "mcp");
    assert.deepEqual(full, expected.full, name);
  }
  const single = folder({ "one.json": tools[0] });
  assert.equal((await json("size", join(single, "one.json"))).full.tools, 1);
});

test("several sources are several servers, and a folder is all of its files", async () => {
  const { servers, tools: shown } = await json("size", cwd, "--limit", "2");
  assert.equal(shown.length, 2);
  assert.equal(servers.map(({ server, tools }) => `${server} ${tools}`).join(), "tracker 3,chat 1");
  const both = await json("search", "send", "tracker.json", "chat.json");
  assert.deepEqual([both.searched, both.hits[0].name, both.hits[0].server], [4, "send_message", "chat"]);
  const same = folder({ "a/tools.json": TRACKER, "b/tools.json": CHAT });
  const names = await json("size", join(same, "a/tools.json"), join(same, "b/tools.json"));
  assert.deepEqual(valuesOf(names.servers, "server"), ["tools", "tools-2"]);
});

test("definitions that name their servers are those servers' tools", async () => {
  const tools = TRACKER.tools.map((one, at) => ({ ...one, server: at === 0 ? "first" : "second" }));
  const { servers } = await json("size", join(folder({ "all.json": tools }), "all.json"));
  assert.deepEqual(Object.fromEntries(servers.map(({ server, tools }) => [server, tools])), { first: 1, second: 2 });
});

test("- is the standard input", async () => {
  const { code, stdout } = await toolsift(["size", "-", "--json"], { cwd, input: JSON.stringify(TRACKER) });
  assert.equal(code, 0);
  assert.equal(JSON.parse(stdout).servers[0].server, "stdin");
});

const BROKEN = [
  ["a file that is missing", undefined, /there is no file ".*x\.json"/],
  ["an empty file", " \n", /is empty; it must hold tools/],
  [
    "a file that is not JSON",
    '{\n  "tools": [\n    {"name" "x"}\n  ]\n}',
    /is not JSON: colon expected in line 3, column 13: \{"name" "x"\}/,
  ],
  ["a file that is cut", '{"tools": [\n', /is not JSON: .* in line 2, column 1, where the text ends\n/],
  ["tools that are no list", { tools: { a: TRACKER.tools[0] } }, /"tools" in .* is an object; it must be a list/],
  ["an answer whose tools are no list", { result: { tools: 7 } }, /"tools" in .* is a number; it must be a list/],
  ["a list without tools", { tools: [] }, /has no tools: its list is empty/],
  ["a configuration without servers", { mcpServers: {} }, /configures no servers/],
  [
    "JSON of something else",
    { name: "x", version: "1" },
    /holds an object with "name", "version"; it must hold a tools\/list answer/,
  ],
  ["a number", "7", /holds a number; it must hold/],
  ["tools that are none", [1, { name: "" }], /no tool of the sources can be used/],
  ["a key __proto__", '{"__proto__": {"tools": []}, /* */ "a": 1}', /holds an object with "a"/],
  ["JSON without end", "[".repeat(200_000), /nested too deeply|is not JSON/],
];

for (const [what, content, message] of BROKEN) {
  test(`${what} is a failure that says what is wrong`, async () => {
    const path = join(folder(content === undefined ? {} : { "x.json": content }), "x.json");
    await fails(["size", path], 1, message);
  });
}

test("a tool that cannot be taken is told, and the others are used", async () => {
  const path = join(folder({ "x.json": [...TRACKER.tools, { name: "bad", inputSchema: 7 }] }), "x.json");
  const { code, stdout, stderr } = await run("size", path, "--json");
  assert.equal(code, 1);
  assert.equal(JSON.parse(stdout).full.tools, 3);
  assert.match(stderr, /warning: 1 tool of x left out: .*parameters/);
});

test("size and doctor say how many tools have words, and of whom", async () => {
  const words = { queries: ["where is my parcel"], keywords: ["parcel"] };
  const tools = [
    { name: "track", description: "Tracks.", inputSchema: { type: "object" }, _meta: { "toolsift/search": words } },
    { name: "send", description: "Sends.", inputSchema: { type: "object" } },
    { name: "weigh", description: "Weighs.", inputSchema: { type: "object" } },
    { name: "fetch", description: "Fetches a URL.", inputSchema: { type: "object" } },
  ];
  const cwd = folder({ "post.json": tools, "words.jsonl": { name: "send", server: "post", ...words } });
  const expected = { tools: 4, enriched: 2, packs: 0, files: 1, servers: 1 };
  for (const command of ["size", "doctor"]) {
    const flags = ["post.json", "--enrichment", "words.jsonl"];
    const { stdout } = await toolsift([command, ...flags, "--json"], { cwd });
    assert.deepEqual(JSON.parse(stdout).words, expected, command);
    const told = (await toolsift([command, ...flags], { cwd })).stdout.trim().split("\n").at(-1);
    const line =
      "Words that people use: 2 of 4 tools have some (1 of files, 1 of their servers); `toolsift enrich` has a model write more.";
    assert.equal(told, line, command);
  }
});

test("size says what each tool costs in a format", async () => {
  for (const format of FORMATS) {
    const { tools, full, toolsift: ours } = await json("size", "tracker.json", "--format", format);
    const sift = new ToolSift({ activation: "off" });
    sift.register(TRACKER.tools);
    const sent = sift.session("s").assemble({ format }).tools;
    const definitions = format === "google" ? sent[0].functionDeclarations : sent;
    const bytes = Object.fromEntries(definitions.map((one, at) => [TRACKER.tools[at].name, JSON.stringify(one).length]));
    assert.deepEqual(Object.fromEntries(tools.map((one) => [one.name, one.bytes])), bytes, format);
    assert.equal(full.tools, 3);
    assert.deepEqual([ours.pays, ours.profile], [false, "sift"]);
    assert.ok(ours.firstRequest.tokens > 0);
  }
});

test("size tells what a server sends, and what remains of it without parts of schemas that no parameter reaches", async () => {
  const reached = { X: { type: "string" } };
  const schema = (defs) => ({ type: "object", properties: { x: { $ref: "#/$defs/X" } }, $defs: { ...reached, ...defs } });
  const unreached = Object.fromEntries(
    Array.from({ length: 50 }, (_, at) => [`Y${at}`, { type: "object", title: "y".repeat(80) }]),
  );
  const whole = { tools: [{ name: "do_it", description: "Does it.", inputSchema: schema(unreached) }] };
  const pruned = { tools: [{ name: "do_it", description: "Does it.", inputSchema: schema({}) }] };
  const path = folder({ "whole.json": whole, "pruned.json": pruned });
  const short = await json("size", join(path, "pruned.json"));
  assert.deepEqual(short.sent, { bytes: short.full.bytes, tokens: short.full.tokens }, "nothing is left out");
  const { full, sent, servers, tools, toolsift: ours } = await json("size", join(path, "whole.json"));
  assert.equal(full.tokens, short.full.tokens);
  const more = JSON.stringify(whole).length - JSON.stringify(pruned).length;
  assert.equal(sent.bytes, full.bytes + more);
  assert.ok(Math.abs(sent.tokens - full.tokens - more / 4) <= 1);
  assert.deepEqual(servers[0].sent.tokens - servers[0].tokens, sent.tokens - full.tokens);
  assert.deepEqual(tools[0].sent.tokens - tools[0].tokens, sent.tokens - full.tokens);
  assert.equal(ours.savedOfSent.tokens, sent.tokens - ours.firstRequest.tokens);
  const { stdout } = await run("size", join(path, "whole.json"));
  const written = sent.tokens.toLocaleString("en-US");
  assert.match(
    stdout,
    new RegExp(`: ${written} tokens when all tools are sent; with toolsift .* has [\\d,]+ tokens, [^,]+\\. Found`),
  );
  assert.match(stdout, new RegExp(`do_it .* ${tools[0].sent.tokens.toLocaleString("en-US")} `));
});

test("explain counts as many hits as --limit says, and a profile's own bound is told rightly", async () => {
  const words =
    "apples pears plums figs dates limes kiwis melons grapes cherries nuts olives peas beans leeks onions carrots beets turnips radishes";
  const many = words.split(" ").map((word) => tool(`list_${word}`, `List all ${word} of a project.`));
  const path = join(folder({ "many.json": many }), "many.json");
  const last = ["explain", "list of a project", "list_radishes", path];
  assert.match((await run(...last, "--limit", "20")).stdout, /^found: It is hit 20 of 20\./);
  assert.match((await run(...last)).stdout, /^found: It is hit 20 of 20\./);
  assert.match((await run(...last, "--limit", "15")).stdout, /^not found: It matches in place 20, but only 15 are shown\./);
  assert.match((await run(...last, "--profile", "select-load")).stdout, /only 5 are shown/);
});

test("with --verbose, what is cut otherwise is printed whole", async () => {
  const long = "x".repeat(600);
  const broken = Array.from({ length: 6 }, (_, at) => ({ ...tool(`t${at}`, "Does"), inputSchema: 7 }));
  const path = join(folder({ "long.json": [tool(`find_${long.slice(0, 60)}`, "Finds a thing."), ...broken] }), "long.json");
  const cut = await run("size", path);
  assert.match(cut.stdout, /find_x+…/);
  assert.match(cut.stderr, /and 3 more \(--verbose tells them\)/);
  const whole = await run("size", path, "--verbose");
  assert.ok(whole.stdout.includes(`find_${long.slice(0, 60)} `));
  for (const { name } of broken) assert.ok(whole.stderr.includes(name), name);
  assert.match((await run("size", path)).stdout, /find_x+…/, "it counts for one run");
  // A server that writes pages about its error.
  const dies = `${process.execPath} -e 'console.error("why ".repeat(400) + "END"); process.exit(3)'`;
  const brief = await run("size", path, "--server", dies);
  assert.match(brief.stderr, /why … \(--verbose tells all of it\)|\(--verbose tells all of it\)/);
  const told = await run("size", path, "--server", dies, "--verbose");
  assert.match(told.stderr, /END/);
});

test("size of many tools says that holding back pays", async () => {
  const many = Array.from({ length: 200 }, (_, at) => tool(`tool_${at}`, `Does the thing number ${at}. `.repeat(10)));
  const path = join(folder({ "many.json": many }), "many.json");
  const { toolsift: ours, full } = await json("size", path);
  assert.equal(ours.pays, true);
  assert.ok(ours.firstRequest.tokens < full.tokens / 10);
  const { stdout } = await run("size", path, "--limit", "3");
  assert.match(stdout, /The 3 most expensive tools:/);
  assert.match(stdout, /It pays here/);
});

test("search answers as the catalog does, with its reasons", async () => {
  const sift = new ToolSift({ search: { universe: "all" } });
  sift.register(TRACKER.tools, { server: "tracker" });
  const expected = sift.search("open an issue", { limit: 2, reasons: true });
  assert.deepEqual(await json("search", "open an issue", "tracker.json", "-n", "2"), expected);
  const { stdout } = await run("search", "create an issue", "tracker.json");
  assert.match(stdout, /^score +tool +server +why\n0\.\d{3} +create_issue +tracker +name: /);
  assert.match(stdout, /Confidence: (high|low)/);
});

test("search runs with every profile and every ranker", async () => {
  for (const { name } of ToolSift.profiles()) {
    const { hits } = await json("search", "issue", "tracker.json", "--profile", name);
    assert.ok(valuesOf(hits, "name").includes("create_issue"), name);
  }
  for (const ranker of ["sift", "bm25", "parts", "overlap", "pattern"]) {
    const { hits } = await json("search", "issue", "tracker.json", "--ranker", ranker);
    assert.ok(valuesOf(hits, "name").includes("create_issue"), ranker);
  }
});

test("a search that finds nothing has the exit code 1", async () => {
  const { code, stdout } = await run("search", "qqqq", "tracker.json", "--ranker", "overlap");
  assert.equal(code, 1);
  assert.match(stdout, /Nothing found in 3 tools/);
  const { stdout: other, code: failed } = await run("search", "qqqq", "tracker.json");
  assert.equal(failed, 1);
  assert.doesNotMatch(other, /come nearest/);
});

test("explain says why a tool is found, and why not", async () => {
  const found = await json("explain", "create an issue", "create_issue", "tracker.json");
  assert.deepEqual([found.found, found.rank], [true, 1]);
  assert.equal((await run("explain", "create an issue", "tracker:create_issue", "tracker.json")).code, 0);
  const missed = await run("explain", "qqqq", "create_issue", "tracker.json", "--ranker", "overlap");
  assert.equal(missed.code, 1);
  assert.match(missed.stdout, /^not found: /);
  const unknown = await run("explain", "x", "make_issue", "tracker.json");
  assert.equal(unknown.code, 1);
  assert.match(unknown.stderr, /there is no tool "make_issue"; the nearest are "create_issue"/);
});

test("explain asks which tool is meant when two servers have it", async () => {
  const two = folder({ "a.json": TRACKER, "b.json": TRACKER });
  const sources = [join(two, "a.json"), join(two, "b.json")];
  assert.equal((await run("explain", "issue", "create_issue", ...sources)).code, 0);
  const { stdout } = await run("explain", "issue", "b:create_issue", ...sources, "--json");
  assert.equal(JSON.parse(stdout).name, "b__create_issue");
});

const LINES = `# what people ask
open a new issue -> create_issue
labels of the project → tracker:list_labels
finish the issue\tclose_issue
{"query": "a -> b", "tool": ["send_message", "list_labels"]}

send a message -> send_message | create_issue
`;

test("eval measures lines in every form", async () => {
  const lines = join(folder({ "lines.txt": LINES }), "lines.txt");
  const result = await json("eval", lines, "tracker.json", "chat.json");
  assert.equal(result.queries, 5);
  assert.equal(result.recallAt5 + result.misses.length / 5, 1);
  const [{ line, query, rank }, ...others] = result.misses;
  assert.deepEqual([line, query, rank, others], [5, "a -> b", null, []]);
  // Four of five are first, worked out by hand: each shares its words with one tool alone.
  assert.deepEqual([result.recallAt1, result.mrr], [0.8, 0.8]);
  assert.equal((await run("eval", lines, cwd, "--fail-under", "0.8")).code, 0);
  const failed = await run("eval", lines, cwd, "--fail-under", "0.81");
  assert.equal(failed.code, 1);
  assert.match(failed.stderr, /recall@5 is 80\.0 %, lower than 81\.0 %/);
  assert.match(failed.stdout, /1 miss:/);
});

test("eval names the line that it cannot use", async () => {
  const files = folder({ "a.txt": "x -> create_issue\nno arrow\n", "b.txt": "x -> make_issue\n", "c.txt": "# nothing\n" });
  const failures = [
    ["a.txt", /line 2 of .* is "no arrow"; it must hold a query and a tool/],
    ["b.txt", /line 1: there is no tool "make_issue"/],
    ["c.txt", /holds no lines/],
  ];
  for (const [name, message] of failures) await fails(["eval", join(files, name), "tracker.json"], 1, message);
});

test("index writes what fromIndex loads", async () => {
  const file = join(folder({}), "tools.bin");
  const said = await json("index", "tracker.json", "chat.json", "-o", file);
  const bytes = readFileSync(file);
  const sift = ToolSift.fromIndex(bytes, { contentHash: said.contentHash });
  assert.deepEqual(valuesOf(sift.tools(), "name"), ["create_issue", "close_issue", "list_labels", "send_message"]);
  assert.deepEqual([said.tools, said.bytes], [4, bytes.length]);
  const { stdout } = await run("index", "tracker.json", "chat.json", "-o", file);
  assert.ok(stdout.includes(`ToolSift.fromIndex(bytes, { contentHash: "${said.contentHash}" })`));
  const { code, stderr } = await run("index", "tracker.json", "-o", join(cwd, "no", "such", "folder.bin"));
  assert.equal(code, 1);
  assert.match(stderr, /cannot be written/);
});

test("index writes over nothing but an index, unless it is told to", async () => {
  const texts = { "notes.txt": "mine", "old.bin": "toolsift, of an older version" };
  const files = folder({ "fs.json": TRACKER, "all/a.json": TRACKER, ...texts });
  symlinkSync(join(files, "fs.json"), join(files, "link.bin"));
  const index = (...args) => toolsift(["index", ...args], { cwd: files });
  const kept = readFileSync(join(files, "fs.json"));
  for (const [source, output] of [
    ["fs.json", "fs.json"],
    ["fs.json", "./link.bin"],
    ["all", "all/a.json"],
  ]) {
    const { code, stderr } = await index(source, "-o", output, "--force");
    assert.equal(code, 2, stderr);
    assert.match(stderr, /is one of the sources/);
  }
  assert.deepEqual(readFileSync(join(files, "fs.json")), kept);
  const refused = await index("fs.json", "-o", "notes.txt");
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /"notes\.txt" exists and is not an index of toolsift.*--force/);
  assert.equal(readFileSync(join(files, "notes.txt"), "utf8"), "mine");
  for (const args of [["notes.txt", "--force"], ["notes.txt"], ["old.bin"]]) {
    const { code, stdout, stderr } = await index("fs.json", "-o", ...args);
    assert.equal(code, 0, stderr);
    assert.ok(stdout.includes(`import bytes from "./${args[0]}"`));
  }
});

test("tools are shown under the names that they have in their files", async () => {
  const tools = [tool("__proto__", "Reads a file."), tool("0 x\n\u001b", "Writes a file.")];
  const path = join(folder({ "x.json": tools }), "x.json");
  for (const command of [["size"], ["search", "file"]]) {
    const { stdout } = await run(...command, path);
    assert.match(stdout, /^\S* *__proto__ /m, command[0]);
    assert.match(stdout, /0 x\\u\{000A\}\\u\{001B\} /, command[0]);
  }
  const measured = await json("size", path);
  assert.deepEqual(measured.tools.map(({ originalName }) => originalName).sort(), ["0 x\n\u001b", "__proto__"]);
});

test("size and doctor count the same tokens", async () => {
  const { full } = await json("size", cwd);
  assert.equal((await json("doctor", cwd)).tokens, full.tokens);
});

test("what costs many times as much is not told in percent", async () => {
  const path = join(folder({ "x.json": [{ name: "a" }] }), "x.json");
  const { stdout } = await run("size", path);
  const { toolsift: ours, full } = await json("size", path);
  const times = Math.round(ours.firstRequest.tokens / full.tokens);
  assert.ok(times > 10);
  assert.ok(stdout.includes(`${times} times as much`), stdout);
});

test("what a definition holds reaches the terminal escaped", async () => {
  const evil = "\u001b]0;owned\u0007\u001b[2J\u202e\u200b\u{e0041}";
  const tools = [
    {
      ...tool("create_issue", `Create${evil} an issue.`, { [`p${evil}`]: { type: "string", enum: [`v${evil}`] } }),
      title: `T${evil}`,
    },
    tool(`bad${evil}name`, `Another issue${evil}`),
    { name: `broken${evil}`, inputSchema: `s${evil}` },
  ];
  const path = join(folder({ [`f${"\u001b"}[1m.json`]: tools }), "f\u001b[1m.json");
  const lines = join(folder({ "l.txt": `issue ${evil} -> send_it\n` }), "l.txt");
  const unsafe = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u{e0000}-\u{e007f}]/u;
  const commands = [
    ["size", path],
    ["search", `issue ${evil}`, path],
    ["explain", `issue ${evil}`, "create_issue", path],
    ["explain", "issue", `none${evil}`, path],
    ["doctor", path, "--all"],
    ["doctor", path, "--markdown"],
    ["eval", lines, path],
    ["size", `none${evil}`],
    [`serch${evil}`],
  ];
  for (const args of commands) {
    const { stdout, stderr } = await run(...args);
    assert.doesNotMatch(stdout + stderr, unsafe, args[0]);
    assert.ok((stdout + stderr).length > 0);
  }
  for (const command of [["size"], ["search", "issue"], ["doctor"]]) {
    const { stdout } = await run(...command, path, "--json");
    assert.doesNotMatch(stdout, unsafe, `${command[0]} --json`);
    assert.match(JSON.stringify(JSON.parse(stdout)), /create_issue/);
  }
});

test("what `tools` prints is a file that every command reads", async () => {
  const { code, stdout, stderr } = await run("tools", "tracker.json", "chat.json");
  assert.equal(code, 0, stderr);
  const both = await toolsift(["size", "both.json", "--json"], { cwd: folder({ "both.json": stdout }) });
  const apart = await json("size", "tracker.json", "chat.json");
  const told = ({ servers }) => servers.map(({ server, tools, tokens }) => [server, tools, tokens]);
  assert.deepEqual(told(JSON.parse(both.stdout)), told(apart));
});

test("nothing is coloured outside of a terminal", async () => {
  for (const env of [{}, { CI: "1" }, { NO_COLOR: "1" }]) {
    const { stdout } = await toolsift(["search", "issue", "tracker.json"], { cwd, env });
    assert.ok(!stdout.includes("\u001b"));
  }
});

test("a reader that stops reading ends the command quietly", () => {
  const many = Array.from({ length: 3_000 }, (_, at) => tool(`tool_${at}`, `Does the thing ${at}.`));
  const path = join(folder({ "many.json": many }), "many.json");
  const command = `"${process.execPath}" "${BIN}" size "${path}" --json 2>&1 | head -n 1; echo "\${PIPESTATUS[0]}"`;
  const output = execFileSync("bash", ["-c", command], { encoding: "utf8" });
  assert.equal(output, "{\n0\n");
});
