#!/usr/bin/env node
/** `npx toolsift`: says what this package is, and runs the commands, which are in the package `toolsift-cli`. */

import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const { version, description } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

const COMMANDS = `  npx toolsift size        what tools cost in every request, and what toolsift saves of it
  npx toolsift search      search tools as the model would
  npx toolsift explain     why a search finds a tool, or why it does not
  npx toolsift doctor      what is wrong with tools, and what to do about it
  npx toolsift eval        how often searches find the right tool
  npx toolsift index       a prebuilt index for an edge function
  npx toolsift mcp         a gateway in front of your MCP servers
  npx toolsift completion  a script that completes commands in a shell`;

const ABOUT = `toolsift ${version}
${description}.

  npm install toolsift

  import { ToolSift } from "toolsift";
  const sift = new ToolSift();
  sift.register(tools, { server: "github" });             // MCP, OpenAI, Anthropic or Google definitions
  const { tools: sent, systemPrompt } = sift.session("chat").assemble({ format: "openai" });
  // when the model calls: sift.session("chat").call(name, args) answers, dispatches or refuses

${COMMANDS}

README.md in the package has the quickstart, docs/ the guide and the reference, CHANGELOG.md what is new.
To see it work on your own tools: the playground, npm start in a clone of the repository.`;

const HELP = `toolsift ${version}

${COMMANDS}

  npx toolsift COMMAND --help  the options and examples of a command
  npx toolsift --version       the version
  npx toolsift --help          this text

The commands are in the package toolsift-cli, which is run by npx if it is not installed.`;

/** The module of the commands, of exactly this version: beside this package, or in the project where it is called. */
function installed() {
  for (const from of [import.meta.url, pathToFileURL(join(process.cwd(), "_"))]) {
    const require = createRequire(from);
    try {
      if (require("toolsift-cli/package.json").version === version) return pathToFileURL(require.resolve("toolsift-cli"));
    } catch {
      // It is not installed there.
    }
  }
  return undefined;
}

/** npm's own script of npx, so that arguments pass no shell on any system. */
function npx() {
  const { npm_execpath: npm = "" } = process.env;
  const bin = dirname(process.execPath);
  const places = [
    ...(basename(npm) === "npm-cli.js" ? [dirname(npm)] : []),
    join(bin, "node_modules", "npm", "bin"),
    join(bin, "..", "lib", "node_modules", "npm", "bin"),
  ];
  const script = places.map((place) => join(place, "npx-cli.js")).find((path) => existsSync(path));
  return script === undefined ? ["npx"] : [process.execPath, script];
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Runs the commands of the same version by npx, and ends as they end. */
function runByNpx(args) {
  const [program, ...before] = npx();
  const bring = (...flags) => [...before, "--yes", ...flags, `--package=toolsift-cli@${version}`, "--", "toolsift-cli"];
  const child = spawn(program, [...bring(), ...args], { stdio: "inherit" });
  // Ctrl-C reaches the child too; this process waits for it.
  const pass = (signal) => void (signal === "SIGINT" && process.stdin.isTTY ? undefined : child.kill(signal));
  for (const signal of SIGNALS) process.on(signal, pass);
  const isThere = () => spawnSync(program, [...bring("--offline"), "--version"], { stdio: "ignore" }).status === 0;
  child.on("error", () => unavailable());
  child.on("exit", (code, signal) => {
    for (const one of SIGNALS) process.off(one, pass);
    if (signal !== null) return process.kill(process.pid, signal);
    process.exitCode = code;
    // 2 is a wrong command line, and more than 128 the number of a signal: the commands have run.
    const isOwn = code === 0 || code === 2 || code === 130 || code === 143;
    if (!isOwn && !isThere()) unavailable();
  });
}

function unavailable() {
  const name = `toolsift-cli@${version}`;
  console.error(`toolsift: the commands are in the package ${name}, which npm cannot get here.`);
  console.error(`Install it while there is a network: npm install ${name}`);
  process.exitCode = 1;
}

const args = process.argv.slice(2);
const [first] = args;
if (first === undefined) {
  console.log(ABOUT);
} else if (args.length === 1 && (first === "--version" || first === "-v")) {
  console.log(version);
} else if (args.length === 1 && (first === "--help" || first === "-h")) {
  console.log(HELP);
} else if (first.startsWith("-")) {
  const known = ["--version", "-v", "--help", "-h"];
  const wrong = args.find((arg) => !known.includes(arg));
  console.error(`toolsift: ${wrong ? `unknown argument ${JSON.stringify(wrong)}` : "one argument at a time"}\n\n${HELP}`);
  process.exitCode = 2;
} else {
  const commands = installed();
  if (commands === undefined) runByNpx(args);
  else await (await import(commands.href)).main(args);
}
