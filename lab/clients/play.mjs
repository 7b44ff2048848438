/**
 * Runs one client of the table through the proxy: one conversation with 159 tools for each API, with and without streaming.
 */

import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { call, DISCOVERY, ISSUE, script, search } from "../../tests/adapters/lib/calls.mjs";
import { ALL_TOOLS, lead } from "../../tests/proxy/lib/agents.mjs";
import {
  aiSdkChat,
  aiSdkResponses,
  anthropic,
  google,
  openaiChat,
  openaiResponses,
} from "../../tests/proxy/lib/clients/javascript.mjs";
import { startAgents } from "../../tests/proxy/lib/clients/process.mjs";
import { scratch } from "../../scripts/lib/installed.mjs";
import { provideNpmPackages } from "../lib/npm-packages.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { providePython } from "../../scripts/lib/python.mjs";
import { LAST_WORDS } from "./table.mjs";

/** The time limit of one conversation, with the import of the client, in ms. */
const PATIENCE = 60_000;

const AGENTS = {
  openai: { chat: openaiChat, responses: openaiResponses },
  "@anthropic-ai/sdk": { messages: anthropic },
  "@google/genai": { gemini: google },
  "@ai-sdk/openai": { chat: aiSdkChat, responses: aiSdkResponses },
};

const CALLS = [call("create_issue", ISSUE), call("read_text_file", { path: "a.txt" })];
const PLAIN = CALLS.map((one) => [one]);
const SIFTED = [[search("create an issue in a repository")], PLAIN[0], [search("read a text file")], PLAIN[1]];

/** Environment variables with which no client calls any server except the upstream. */
const QUIET = {
  ANONYMIZED_TELEMETRY: "false",
  DO_NOT_TRACK: "1",
  LITELLM_LOCAL_MODEL_COST_MAP: "True",
  MASTRA_TELEMETRY_DISABLED: "1",
};

/**
 * Returns the played conversations as `{ wire, streamed, problem }` (no `problem` if it passed), or `reason` if none was
 * played.
 */
export async function played(row) {
  const { agents, reason, end = none } = await started(row);
  if (reason !== undefined) return { reason };
  const plays = [];
  for (const wire of row.wires) {
    for (const streamed of row.streams === "always" ? [true] : [false, true]) {
      const client = agents(wire);
      plays.push({ wire, streamed, problem: await problemOf(row, client, streamed) });
    }
  }
  await end();
  return { plays };
}

const none = () => {};

/** Returns the started client, `agents(wire)` and `end()`, or the `reason` why it did not start. */
async function started(row) {
  const { language, program, packages } = row;
  if (language === "Python") {
    const { python, reason } = await providePython({ packages });
    if (reason !== undefined) return { reason };
    const inFolder = (name) => at("lab", "clients", "python", name);
    const args =
      program === undefined
        ? [at("tests", "proxy", "lib", "clients", "agent.py")]
        : [inFolder("play.py"), inFolder(program)];
    return inProcess(python, ["-I", ...args]);
  }
  if (program === undefined) return { agents: (wire) => AGENTS[row.client][wire] };
  const inFolder = (name) => at("lab", "clients", "javascript", name);
  if (packages === undefined) return inProcess(process.execPath, [inFolder("play.mjs"), inFolder(program)]);
  const { home, reason } = await provideNpmPackages(packages);
  if (reason !== undefined) return { reason };
  // A program is copied next to its packages, so that it finds them.
  const folder = mkdtempSync(join(scratch(), "client-"));
  symlinkSync(join(home, "node_modules"), join(folder, "node_modules"), "junction");
  copyFileSync(inFolder(program), join(folder, program));
  return inProcess(process.execPath, [inFolder("play.mjs"), join(folder, program)]);
}

function inProcess(command, args) {
  const child = startAgents(command, args, QUIET);
  const agents = (wire) => ({
    wire,
    versions: [{}],
    async run({ url, tools, prompt, system, stream, execute }) {
      const plan = { wire, base_url: url, tools, prompt, system, stream, max_steps: 10, answers: {} };
      const late = new AbortController();
      const timeout = pause(PATIENCE, undefined, { signal: late.signal }).then(
        () => Promise.reject(new Error(`no end after ${PATIENCE / 1000} s`)),
        none,
      );
      try {
        const result = await Promise.race([child.lead(plan), timeout]);
        for (const { name, args: given } of result.ran) await execute(name, given);
        return result;
      } catch (error) {
        if (error.message.startsWith("no end")) child.kill();
        throw error;
      } finally {
        late.abort();
      }
    },
  });
  return { agents, end: () => child.end() };
}

/** Returns the problem of a conversation, and whether it has the same problem without the proxy. */
async function problemOf(row, client, stream) {
  const { ends } = row;
  const after = ends === undefined ? [] : [[call(ends.name, ends.args)]];
  const about = { tools: ALL_TOOLS, prompt: "Report it.", stream };
  try {
    const options = { sift: { activation: "auto" } };
    check(row, await lead(client, { ...about, door: "url", options, script: script(...SIFTED, ...after) }));
    return undefined;
  } catch (error) {
    try {
      const { ran, text } = await lead(client, {
        ...about,
        door: "none",
        script: script(...PLAIN, ...after),
        wire: { mostTools: 200 },
      });
      checkEnd(ran, text);
    } catch (alone) {
      return `fails without the proxy too: ${alone.message}`;
    }
    return error.message;
  }
}

function check({ ends }, { requests, ran, text }) {
  checkEnd(ran, text);
  const expected = [...DISCOVERY, ...(ends === undefined ? [] : [ends.name])];
  assert.deepEqual(requests[0].tools.toSorted(), expected.toSorted(), "the tools of the first request");
  for (const [at, { name }] of CALLS.entries()) assert.ok(requests[at * 2 + 1].tools.includes(name), `${name} is found`);
  const most = Math.max(...requests.map(({ tools }) => tools.length));
  assert.ok(most <= 20, `at most 20 tools are sent, not ${most}`);
  assert.equal(requests.length, SIFTED.length + (ends?.another ? 2 : 1), "requests to the vendor");
}

function checkEnd(ran, text) {
  assert.deepEqual(ran, CALLS, "the calls that the client ran");
  assert.equal(text, LAST_WORDS, "the last words");
}
