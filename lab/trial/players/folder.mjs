/**
 * A player for agents that play by hand: `node folder.mjs DIR` reads requests from standard input, as `program.mjs` writes
 * them, and writes them as readable files. It continues when every file has its reply.
 */

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { argv, stdin, stdout } from "node:process";
import { readReply } from "../wire.mjs";
import { commonOf, pageOf } from "./pages.mjs";

const README = `# How to play

You are the model. Every file of requests/ is one request, as a model gets it: what the system says, the tools, and the
conversation so far. What requests have in common stands once, in a file of common/ that they name; read it as a part of
each.

1. Read the requests of this round (\`cat requests/*.md\`), and answer each as if it were the only one: from its own text
   alone, with its own tools alone.
2. Write your reply to request 012 into replies/012.json: \`{"calls": [{"name": "…", "arguments": {…}}]}\` to call tools,
   several where you would call them together, or \`{"text": "…"}\` to answer the user in words, which ends the
   conversation. Or write many into one file replies/batch-1.json: \`{"012": {"calls": […]}, "013": {"text": "…"}}\`.
3. When every request has its reply, the next round replaces them; what is over goes to done/. In later rounds a tool that
   an earlier request of the same conversation has shown in full is only named. status.md says which round it is, which
   replies are missing and which cannot be read, and when all is over.

Nothing is executed. You may call what is in the tools of the request; any other name reaches the host as well, which says
what is wrong with it, as with any model. A rehearsal is worth most where you do what you would do: search as you would
search, and give up where you would give up.
`;

const POLL_MS = 300;
/** A round is complete when no request has arrived for this time, in ms. */
const SETTLE_MS = 700;
/** A file that was written less than this time ago, in ms, may be incomplete. */
const FRESH_MS = 1_500;

const home = resolve(argv[2]);
const folder = (name) => join(home, name);
for (const name of ["requests", "replies", "common", "done"]) mkdirSync(folder(name), { recursive: true });
writeFileSync(folder("README.md"), README);
for (const file of readdirSync(folder("requests"))) rmSync(join(folder("requests"), file));

/** The requests that are not written yet, and the requests that wait for a reply, by number. */
let come = [];
const waiting = new Map();
const commons = [];
/** For each conversation, the tools that were shown, with the number of the request that showed them first. */
const shown = new Map();
let [count, round, last] = [0, 0, 0];

createInterface({ input: stdin })
  .on("line", (line) => {
    const asked = JSON.parse(line);
    last = Date.now();
    const kept = keptAt(asked);
    // The request was answered in an earlier, interrupted run.
    if (existsSync(kept)) answer(asked, JSON.parse(readFileSync(kept, "utf8")));
    else come.push(asked);
  })
  .on("close", () => {
    status("All is over: there is nothing left to answer.");
    clearInterval(timer);
  });

const timer = setInterval(() => {
  if (waiting.size > 0) collect();
  else if (come.length > 0 && Date.now() - last > SETTLE_MS) writeRound();
}, POLL_MS);

const keptAt = ({ conversation, request }) => {
  const hash = createHash("sha256")
    .update(JSON.stringify([conversation, request]))
    .digest("hex")
    .slice(0, 24);
  return join(folder("done"), `${hash}.json`);
};

/** Writes a file atomically. */
function publish(path, text) {
  writeFileSync(folder(".unfinished"), text);
  renameSync(folder(".unfinished"), folder(path));
}

const answer = ({ id }, reply) => stdout.write(`${JSON.stringify({ id, reply })}\n`);

function writeRound() {
  round += 1;
  const requests = come;
  come = [];
  for (const common of commonOf(requests, commons)) {
    commons.push(common);
    common.file = `common/${commons.length}.md`;
    publish(common.file, common.page);
  }
  for (const asked of requests) {
    const number = String((count += 1)).padStart(3, "0");
    waiting.set(number, { asked });
    const before = shown.get(asked.conversation) ?? new Map();
    shown.set(asked.conversation, before);
    publish(`requests/${number}.md`, pageOf(number, round, asked, commons, before));
  }
  report([]);
}

/** Reads the written replies, and continues when all of them are valid. */
function collect() {
  const problems = [];
  for (const file of readdirSync(folder("replies"))
    .filter((name) => name.endsWith(".json"))
    .sort()) {
    const path = join(folder("replies"), file);
    const isFresh = Date.now() - statSync(path).mtimeMs < FRESH_MS;
    let content;
    try {
      content = JSON.parse(readFileSync(path, "utf8"));
    } catch (error) {
      if (!isFresh) problems.push(`replies/${file} is no JSON: ${error.message}`);
      continue;
    }
    const number = file.slice(0, -".json".length);
    for (const [of, reply] of /^\d+$/.test(number) ? [[number, content]] : Object.entries(content))
      take(of, reply, file, problems);
  }
  if ([...waiting.values()].some(({ reply }) => reply === undefined)) return report(problems);
  const answered = [...waiting.values()];
  waiting.clear();
  const past = folder(`done/round-${round}`);
  mkdirSync(past, { recursive: true });
  for (const name of ["requests", "replies"]) {
    for (const file of readdirSync(folder(name))) renameSync(join(folder(name), file), join(past, file));
  }
  last = Date.now();
  for (const { asked, reply } of answered) {
    writeFileSync(keptAt(asked), JSON.stringify(reply));
    answer(asked, reply);
  }
  status(`Round ${round} is answered; the next one is being made.`);
}

function take(number, reply, file, problems) {
  const one = waiting.get(number.padStart(3, "0"));
  if (one === undefined) return problems.push(`replies/${file}: there is no request ${number} in this round`);
  try {
    readReply(reply);
    one.reply = reply;
  } catch (error) {
    one.reply = undefined;
    problems.push(`replies/${file}, request ${number}: ${error.message}`);
  }
}

function report(problems) {
  const missing = [...waiting].filter(([, { reply }]) => reply === undefined).map(([number]) => number);
  const lines = [`Round ${round}: ${waiting.size} requests, ${missing.length} without a reply.`];
  if (missing.length > 0) lines.push("", `Missing: ${missing.join(" ")}`);
  if (problems.length > 0) lines.push("", "Problems:", ...problems.map((problem) => `- ${problem}`));
  status(lines.join("\n"));
}

let told;
function status(text) {
  if (text === told) return;
  told = text;
  publish("status.md", `${text}\n`);
}
