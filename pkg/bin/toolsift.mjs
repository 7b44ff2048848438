#!/usr/bin/env node
/** `npx toolsift`: says what this package is and where to go from here. */

import { readFileSync } from "node:fs";

const { version, description } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

const ABOUT = `toolsift ${version}
${description}.

  npm install toolsift

  import { ToolSift } from "toolsift";
  const sift = new ToolSift();
  sift.register(tools, { server: "github" });             // MCP, OpenAI, Anthropic or Google definitions
  const { tools: sent, systemPrompt } = sift.session("chat").assemble({ format: "openai" });
  // when the model calls: sift.session("chat").call(name, args) answers, dispatches or refuses

README.md in the package has the quickstart, docs/ the guide and the reference, CHANGELOG.md what is new.
To see it work on your own tools: the playground, npm start in a clone of the repository.`;

const HELP = `toolsift ${version}

  npx toolsift            what the package is, and where to go
  npx toolsift --version  its version
  npx toolsift --help     this text`;

const args = process.argv.slice(2);
const [first] = args;
if (first === undefined) {
  console.log(ABOUT);
} else if (args.length === 1 && (first === "--version" || first === "-v")) {
  console.log(version);
} else if (args.length === 1 && (first === "--help" || first === "-h")) {
  console.log(HELP);
} else {
  const known = ["--version", "-v", "--help", "-h"];
  const wrong = args.find((arg) => !known.includes(arg));
  console.error(`toolsift: ${wrong ? `unknown argument ${JSON.stringify(wrong)}` : "one argument at a time"}\n\n${HELP}`);
  process.exitCode = 2;
}
