#!/usr/bin/env node
/** `npx toolsift`: prints what this package is, and runs the commands of the package `toolsift-cli`. */

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, delimiter, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const { version, description } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

const COMMANDS = `  npx toolsift demo        what toolsift saves with your own MCP servers
  npx toolsift size        tokens of tools in every request, and how many toolsift saves
  npx toolsift search      search tools as the model would
  npx toolsift explain     why a search finds a tool, or why it does not
  npx toolsift doctor      what is wrong with tools, and what to do about it
  npx toolsift tools       the tools of every source, as one JSON file
  npx toolsift eval        how often searches find the right tool
  npx toolsift enrich      words that people use, written by a model of yours into a file
  npx toolsift index       a prebuilt index for an edge function
  npx toolsift mcp         a gateway in front of your MCP servers
  npx toolsift proxy       tool search in front of a model, for any client`;

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

The commands are in the package toolsift-cli, which npx brings if it is not installed.`;

/** Returns the URL of the commands' module in this exact version, resolved from `place`; undefined if not installed. */
function commandsFrom(place) {
  const require = createRequire(place);
  try {
    if (require("toolsift-cli/package.json").version === version) return pathToFileURL(require.resolve("toolsift-cli"));
  } catch {
    // Not installed there.
  }
  return undefined;
}

/** Returns the path of a file in a folder, from which Node resolves packages. */
const placeIn = (folder) => pathToFileURL(join(folder, "_"));

/** Returns how to start npm's own script of npx: without a shell, on every system. */
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

/**
 * Lets npx install the package, and returns the URL of its commands. npx does not run the command: then input, signals and
 * exit codes would pass through npm and a shell.
 */
function brought() {
  const [program, ...before] = npx();
  const args = [...before, "--yes", `--package=toolsift-cli@${version}`, "--", "node", "-p", "process.env.PATH"];
  const { status, stdout, signal } = spawnSync(program, args, { stdio: ["ignore", "pipe", "inherit"], encoding: "utf8" });
  if (signal !== null) process.kill(process.pid, signal);
  if (status !== 0) return undefined;
  const folders = stdout
    .trim()
    .split(delimiter)
    .filter((folder) => basename(folder) === ".bin");
  return folders.map((folder) => commandsFrom(placeIn(dirname(folder)))).find((found) => found !== undefined);
}

function unavailable() {
  const name = `toolsift-cli@${version}`;
  console.error(`toolsift: the commands are in the package ${name}, which npm cannot get here.`);
  console.error(`Install it while there is a network: npm install ${name}`);
  process.exitCode = 1;
}

const HELPS = ["--help", "-h", "help"];
const VERSIONS = ["--version", "-v"];

const args = process.argv.slice(2);
const [first] = args;
const run = async (commands) => (await import(commands.href)).main(args);

if (first === undefined) {
  console.log(ABOUT);
} else if (args.length === 1 && VERSIONS.includes(first)) {
  console.log(version);
} else {
  // The package next to this one, or the package in the current project.
  const here = commandsFrom(import.meta.url) ?? commandsFrom(placeIn(process.cwd()));
  // Help needs no download.
  const isHelp = args.length === 1 && HELPS.includes(first);
  if (here !== undefined) await run(here);
  else if (isHelp) console.log(HELP);
  else if (first.startsWith("-")) refuse();
  else {
    const commands = brought();
    if (commands === undefined) unavailable();
    else await run(commands);
  }
}

function refuse() {
  const wrong = args.find((arg) => ![...VERSIONS, ...HELPS].includes(arg));
  console.error(`toolsift: ${wrong ? `unknown argument ${JSON.stringify(wrong)}` : "one argument at a time"}\n\n${HELP}`);
  process.exitCode = 2;
}
