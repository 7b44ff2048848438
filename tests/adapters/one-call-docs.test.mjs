/**
 * Do the programs of docs/adapters/one-call.md do what the page says, as they are printed? Each runs to its end by itself, with
 * the real memory server over stdio and a vendor on this machine: the model is sent every tool, since they are few, calls one
 * (the server's or the page's own), and its text is printed. `tests/package/snippets.test.mjs` compiles them.
 */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { test } from "vitest";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { isFull } from "../../scripts/lib/full.mjs";
import { scratch } from "../../scripts/lib/installed.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { realServer } from "../../scripts/lib/real-server.mjs";
import { startVendor } from "../apis/vendor.mjs";
import { chat } from "../apis/chat.mjs";
import { gemini as google } from "../apis/gemini.mjs";
import { anthropic } from "../apis/messages.mjs";
import { appWith } from "./lib/app.mjs";
import { call } from "./lib/calls.mjs";
import { MCP } from "./lib/doorway.mjs";
import { LANGCHAIN } from "./lib/drives/langchain.mjs";
import { responses } from "../apis/responses.mjs";

const PAGE = readFileSync(at("docs", "adapters", "one-call.md"), "utf8");
const PROGRAMS = [...PAGE.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code]) => code);
const same = (...names) => Object.fromEntries(names.map((name) => [name, name]));

/** What each entry needs installed, how its model speaks, and under which variables its SDK finds the vendor. */
const WORLDS = {
  "ai-sdk": { packages: { ai: "ai-7", "@ai-sdk/openai": "@ai-sdk/openai-4" }, wire: responses, env: openaiEnv },
  openai: { packages: same("openai"), wire: chat, env: openaiEnv },
  "openai-agents": {
    packages: same("@openai/agents"),
    wire: responses,
    env: (url) => ({ ...openaiEnv(url), OPENAI_AGENTS_DISABLE_TRACING: "1" }),
  },
  anthropic: {
    packages: same("@anthropic-ai/sdk"),
    wire: anthropic,
    env: (url) => ({ ANTHROPIC_API_KEY: "none", ANTHROPIC_BASE_URL: url }),
  },
  google: {
    packages: same("@google/genai"),
    wire: google,
    env: (url) => ({ GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: url }),
  },
  langchain: { packages: LANGCHAIN, wire: responses, env: openaiEnv },
  mastra: {
    packages: same("@mastra/core"),
    wire: responses,
    env: (url) => ({ ...openaiEnv(url), MASTRA_TELEMETRY_DISABLED: "1" }),
  },
};

function openaiEnv(url) {
  return { OPENAI_API_KEY: "none", OPENAI_BASE_URL: `${url}/v1` };
}

/** A folder with an `npx` that starts the server of this repository, since there is no network. */
function npx() {
  const folder = mkdtempSync(join(scratch(), "npx-"));
  const server = realServer("memory");
  const memory = join(folder, "memory.jsonl");
  writeFileSync(
    join(folder, "npx"),
    `#!/bin/sh\n[ "$1 $2" = "-y @modelcontextprotocol/server-memory" ] || exit 9\nMEMORY_FILE_PATH=${memory} exec ${process.execPath} ${server}\n`,
  );
  chmodSync(join(folder, "npx"), 0o755);
  return folder;
}

for (const [number, program] of PROGRAMS.entries()) {
  const [, entry] = /from "toolsift\/([a-z-]+)"/.exec(program);
  const { packages, wire, env } = WORLDS[entry];
  const label = `${entry}, the program ${number + 1} of the page`;

  if (!isFull && number < PROGRAMS.length - 3) continue;
  test(`${label}: it runs and prints the model's text`, async () => {
    const { folder } = await appWith({ ...packages, ...MCP });
    const isOwn = program.includes("bookTable");
    const used = isOwn ? call("bookTable", { guests: 2, at: "eight" }) : call("read_graph");
    const replies = [{ calls: [used] }, { text: "That is all I know." }];
    const vendor = await startVendor(program.includes("runResponses") ? responses : wire, (_, step) => replies[step - 1]);
    try {
      const { code } = await transform(program, { loader: "ts" });
      const file = join(folder, `page-${number}.mjs`);
      writeFileSync(file, code);
      const path = `${npx()}${delimiter}${process.env.PATH}`;
      const options = { cwd: folder, env: { ...process.env, ...env(vendor.url), PATH: path }, timeout: 60_000 };
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [file], options);
      assert.equal(stdout, "That is all I know.\n", stderr);
      assert.equal(vendor.requests.length, 2);
      assert.equal(vendor.requests[0].tools.length, isOwn ? 1 : 9, "every tool and no discovery tool");
      assert.match(vendor.requests[1].answers[0], isOwn ? /Booked for 2 at eight\./ : /"entities": \[\]/);
    } finally {
      await vendor.close();
    }
  });
}
