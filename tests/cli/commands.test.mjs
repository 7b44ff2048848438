/**
 * Tests commands with files of tools, except their printed output, which is in the transcripts: formats, indexes, hostile
 * texts.
 */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { ToolSift } from "toolsift";
import { programOf } from "../../cli/src/main.ts";
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
  const deeper = ["status", "approve", "login", "logout", "add", "remove", "clients"].map((name) => ["mcp", "help", name]);
  for (const args of [["--help"], ...names.map((name) => [name, "--help"]), ...deeper]) {
    const { code, stdout, stderr } = await run(...args);
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(stdout, /Usage: toolsift[^]*Examples:\n/, args.join(" "));
    assert.doesNotMatch(stdout, /default: (none|\[\])/);
  }
});

test("--version is that of the package", async () => {
  const { version } = JSON.parse(readFileSync(new URL("../../cli/package.json", import.meta.url), "utf8"));
  assert.deepEqual(await run("--version"), { code: 0, signal: null, stdout: `${version}\n`, stderr: "" });
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
  const schema = (defs) => ({
    type: "object",
    properties: { x: { $ref: "#/$defs/X" } },
    $defs: { X: { type: "string" }, ...defs },
  });
  const one = (defs) => [{ name: "do_it", description: "Does it.", inputSchema: schema(defs) }];
  const path = folder({ "whole.json": one({ Y: { type: "object", title: "y".repeat(4_000) } }), "pruned.json": one({}) });
  const [short, whole] = [await json("size", join(path, "pruned.json")), await json("size", join(path, "whole.json"))];
  assert.deepEqual(short.sent, { bytes: short.full.bytes, tokens: short.full.tokens }, "nothing is left out");
  assert.equal(whole.full.tokens, short.full.tokens);
  assert.ok(whole.sent.tokens - whole.full.tokens > 1_000);
  for (const part of [whole.servers[0], whole.tools[0]]) {
    assert.equal(part.sent.tokens - part.tokens, whole.sent.tokens - whole.full.tokens);
  }
  assert.equal(whole.toolsift.savedOfSent.tokens, whole.sent.tokens - whole.toolsift.firstRequest.tokens);
  const { stdout } = await run("size", join(path, "whole.json"));
  assert.ok(stdout.includes(`: ${whole.sent.tokens.toLocaleString("en-US")} tokens when all tools are sent; with toolsift`));
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

test("a reader that stops reading ends the command quietly", () => {
  const many = Array.from({ length: 3_000 }, (_, at) => tool(`tool_${at}`, `Does the thing ${at}.`));
  const path = join(folder({ "many.json": many }), "many.json");
  const command = `"${process.execPath}" "${BIN}" size "${path}" --json 2>&1 | head -n 1; echo "\${PIPESTATUS[0]}"`;
  const output = execFileSync("bash", ["-c", command], { encoding: "utf8" });
  assert.equal(output, "{\n0\n");
});
