/** Tests that `npx toolsift` prints its version and help, and runs the commands of `toolsift-cli`. */

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, test } from "vitest";
import { allOrLast } from "../../scripts/lib/full.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { npm } from "../../scripts/lib/run.mjs";
import { httpServer } from "../cli/command-line.mjs";
import { install, pack } from "./installed.mjs";

test("npx toolsift introduces the package", async () => {
  const { version } = await pack();
  const { app } = await install();
  const { stdout, code } = await npm(["exec", "--offline", "--no", "--", "toolsift"], { cwd: app, fails: false });
  assert.equal(code, 0);
  for (const part of [
    `toolsift ${version}`,
    "npm install toolsift",
    "new ToolSift()",
    "npx toolsift doctor",
    "README.md",
    "npm start",
  ]) {
    assert.ok(stdout.includes(part), part);
  }
});

test("toolsift --version and --help", async () => {
  const { version } = await pack();
  const cwd = await folder();
  assert.equal((await toolsift(["--version"], { cwd })).stdout.trim(), version);
  const { stdout } = await toolsift(["--help"], { cwd });
  assert.match(stdout, /--version/);
  const { programOf } = await import(at("cli", "dist", "main.js"));
  for (const command of (await programOf()).commands) assert.match(stdout, new RegExp(`npx toolsift ${command.name()} `));
});

test("an unknown argument is an error that names it", async () => {
  const { code, stderr, stdout } = await toolsift(["--serve"], { cwd: await folder() });
  assert.equal(code, 2);
  assert.match(stderr, /unknown argument "--serve"/);
  assert.equal(stdout, "");
});

/** A `toolsift-cli` that says what it was given, and ends as it is told. */
const MAIN = `
export async function main(args) {
  const [how, ...rest] = args;
  console.log(JSON.stringify({ from: "STAND-IN", rest }));
  if (how === "exit") process.exitCode = Number(rest[0]);
  if (how === "wait") setTimeout(() => {}, 60_000);
  if (how === "read") console.log(await new Promise((resolve) => process.stdin.once("data", (data) => resolve(String(data)))));
}
`;
const BIN = "#!/usr/bin/env node\n";

/** Writes a stand-in of `toolsift-cli` into a folder. */
function standIn(folder, version, name) {
  mkdirSync(folder, { recursive: true });
  const exports = { ".": "./main.js", "./package.json": "./package.json" };
  const about = { name: "toolsift-cli", version, type: "module", bin: { "toolsift-cli": "bin.js" }, exports };
  writeFileSync(join(folder, "package.json"), JSON.stringify(about));
  writeFileSync(join(folder, "main.js"), MAIN.replace("STAND-IN", name));
  writeFileSync(join(folder, "bin.js"), BIN, { mode: 0o755 });
  return folder;
}

/** Runs the bin of the installed package in a folder. */
async function toolsift(args, { cwd, env = {}, input, onOutput = () => {} }) {
  const { home } = await install();
  const child = spawn(process.execPath, [join(home, "bin", "toolsift.mjs"), ...args], {
    cwd,
    env: { ...process.env, ...env },
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (data) => {
    stdout += data;
    onOutput(child);
  });
  child.stderr.on("data", (data) => (stderr += data));
  child.stdin.end(input);
  return new Promise((resolve) => child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr })));
}

/** A folder beside the application, from which no other `toolsift-cli` is found. */
async function folder() {
  const { app } = await install();
  const path = mkdtempSync(join(app, "..", "call-"));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A registry on this machine that has one package, and an npm that knows no other. */
async function registry(cwd) {
  const { version } = await pack();
  standIn(join(cwd, "package"), version, "npx");
  const tarball = execFileSync("tar", ["-czf", "-", "-C", cwd, "package"]);
  const { url } = await httpServer((request, response) => {
    if (request.url.endsWith(".tgz")) return response.end(tarball);
    if (request.url !== "/toolsift-cli") return response.writeHead(404).end("{}");
    const dist = { tarball: `http://${request.headers.host}/toolsift-cli.tgz` };
    const about = { name: "toolsift-cli", version, bin: { "toolsift-cli": "bin.js" }, dist };
    response.end(JSON.stringify({ name: "toolsift-cli", "dist-tags": { latest: version }, versions: { [version]: about } }));
  });
  return npmAlone(cwd, url);
}

const npmAlone = (cwd, url) => ({
  npm_config_registry: url,
  npm_config_cache: join(cwd, "cache"),
  npm_config_fetch_retries: "0",
  npm_config_update_notifier: "false",
  npm_config_audit: "false",
});

test("a command runs in toolsift-cli of the same version, from the working directory too", async () => {
  const { version } = await pack();
  const cwd = await folder();
  standIn(join(cwd, "node_modules", "toolsift-cli"), version, "project");
  const { code, stdout, stderr } = await toolsift(["exit", "3", "a b", "$HOME", '"'], { cwd });
  assert.deepEqual([code, stderr], [3, ""]);
  assert.deepEqual(JSON.parse(stdout), { from: "project", rest: ["3", "a b", "$HOME", '"'] });
});

test("help is that of toolsift-cli where it is installed, and nothing is downloaded for it", async () => {
  const { version } = await pack();
  const cwd = await folder();
  const alone = await toolsift(["help"], { cwd, env: npmAlone(cwd, "http://127.0.0.1:1/") });
  assert.equal(alone.code, 0);
  assert.match(alone.stdout, /npx toolsift doctor/);
  const cli = standIn(join(cwd, "node_modules", "toolsift-cli"), version, "project");
  const main = "export const main = (args) => { console.log(JSON.stringify(args)); process.exitCode = 3; };";
  writeFileSync(join(cli, "main.js"), main);
  for (const args of [["--help"], ["-h"], ["help"], ["help", "size"], ["--serve"]]) {
    const { code, stdout } = await toolsift(args, { cwd });
    assert.deepEqual([code, JSON.parse(stdout)], [3, args]);
  }
  assert.match((await toolsift([], { cwd })).stdout, /npm install toolsift/);
  assert.equal((await toolsift(["--version"], { cwd })).stdout.trim(), version);
});

test("another version is not used: npx brings the right one, with its input, exit code and signals", async () => {
  const cwd = await folder();
  const env = await registry(cwd);
  standIn(join(cwd, "node_modules", "toolsift-cli"), "0.0.1", "project");
  const { code, stdout, stderr } = await toolsift(["exit", "7", "a b", "$HOME"], { cwd, env });
  assert.equal(code, 7, stderr);
  assert.deepEqual(JSON.parse(stdout), { from: "npx", rest: ["7", "a b", "$HOME"] });
  assert.doesNotMatch(stderr, /cannot get/);
  // As when npx itself was told which package to run.
  const read = await toolsift(["read"], { cwd, env: { ...env, npm_config_package: "toolsift" }, input: "hello" });
  assert.equal(read.code, 0, read.stderr);
  assert.match(read.stdout, /hello/);
  if (process.platform === "win32") return;
  for (const signal of allOrLast(["SIGTERM", "SIGINT"])) {
    const ended = await toolsift(["wait"], { cwd, env, onOutput: (child) => child.kill(signal) });
    assert.equal(ended.signal, signal);
    assert.match(ended.stdout, /"from":"npx"/);
  }
});

test("where npm cannot get the commands, a message says what to do", async () => {
  const { version } = await pack();
  const cwd = await folder();
  const { code, stdout, stderr } = await toolsift(["doctor", "x.json"], { cwd, env: npmAlone(cwd, "http://127.0.0.1:1/") });
  assert.equal(code, 1);
  assert.equal(stdout, "");
  assert.match(stderr, new RegExp(`the commands are in the package toolsift-cli@${version}, which npm cannot get here`));
  assert.match(stderr, new RegExp(`npm install toolsift-cli@${version}`));
});
