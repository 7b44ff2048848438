/**
 * Does `npm run trial` play what it says?
 *
 * 1. Every profile, words, options, the AI SDK's search and everything sent are played in every form of request, and
 *    recorded.
 * 2. A run that is started again plays only what its recordings lack, and none that was played otherwise.
 * 3. Recordings are replayed alone, and give the same table. They hold no definition and no answer.
 * 4. What cannot be right is refused with the option or the value.
 * 5. A weak player, which writes names another way, calls before it loads and repeats itself, is in no conversation led in
 *    circles; what is loaded ahead spares it searches.
 */

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { ToolSift } from "../../pkg/dist/index.js";
import { isFull } from "../../scripts/lib/full.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { armOf } from "../../scripts/lib/trial/arm.mjs";
import { readRuns } from "../../scripts/lib/trial/recording.mjs";
import { checked } from "../../scripts/trial.mjs";
import { scriptOf } from "../scripts/lib/script.mjs";

const home = mkdtempSync(join(tmpdir(), "toolsift-trial-"));
after(() => rmSync(home, { recursive: true }));

const PLAYER = `"${process.execPath}" "${at("tests", "trial", "lib", "player.mjs")}"`;
const PROFILES = ["search-add", "select", "select-load", "stub", "bridge"];
const ARMS = ["sift", "sift+words+disclosure=names", "ai-sdk", "everything", ...(isFull ? PROFILES : ["bridge"])];

const trial = scriptOf("trial.mjs");
const linesOf = (path) =>
  readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

test("played, recorded, taken up again and replayed", async () => {
  const record = join(home, "played");
  const asked = ["--player", PLAYER, "--arms", ARMS.join(","), "--size", "250", "--tasks", "8", "--record", record];
  const { code, stdout, output } = await trial(...asked, "--json");
  assert.equal(code, 0, output);
  const { runs } = JSON.parse(stdout);
  assert.deepEqual(
    runs.map(({ name }) => name),
    ["250"],
  );
  assert.deepEqual(runs[0].arms.map(({ arm }) => arm).sort(), [...ARMS].sort());
  for (const { arm, served, unserved } of runs[0].arms) {
    assert.equal(served.tasks + unserved.tasks, 8, arm);
    if (arm === "everything") assert.deepEqual([served.loaded, served.searches, served.tools], [1, 0, 250]);
    else assert.deepEqual([served.searches, served.tools < 100], [1, true], arm);
    assert.ok(served.rounds >= 2 && served.sent > served.last && served.warm <= served.priced, arm);
  }

  const folder = join(record, "250");
  assert.equal(readdirSync(folder).length, ARMS.length);
  const [head, ...conversations] = linesOf(join(folder, "ai-sdk.jsonl"));
  assert.deepEqual([head.arm, head.size, head.format], ["ai-sdk", 250, "openai"]);
  assert.ok(conversations.some(({ steps }) => steps[0].calls[0].found.length > 0));
  const text = readFileSync(join(folder, "ai-sdk.jsonl"), "utf8");
  assert.ok(!/"description"|"inputSchema"|"parameters"|"ok":true/.test(text), "neither definitions nor answers");

  const [all, few] = [join(folder, "sift.jsonl"), readFileSync(join(folder, "sift.jsonl"), "utf8").split("\n")];
  writeFileSync(all, `${few.slice(0, 4).join("\n")}\n`);
  const again = await trial(...asked, "--json");
  assert.equal(again.code, 0, again.output);
  assert.match(again.output, /sift, 250 tools: 5 of 8 tasks/);
  assert.match(again.output, /everything, 250 tools: 0 of 8 tasks/);
  assert.deepEqual(JSON.parse(again.stdout), JSON.parse(stdout));
  const other = await trial(...asked, "--as", "somebody else");
  assert.equal(other.code, 1);
  assert.match(other.output, /was played with another model \(a player\): record into another folder/);

  const replayed = await trial("--replay", record, "--json");
  assert.deepEqual(JSON.parse(replayed.stdout), JSON.parse(stdout));
  const shown = await trial("--replay", record);
  assert.match(shown.stdout, /250: a player, [\d-]+, 250 tools, our tasks/);
  assert.match(shown.stdout, /ai-sdk − bridge: called, points .* \[.*\] · rounds .* · priced /);
  assert.doesNotMatch(shown.output, /building/);
});

test("in every form of request", async () => {
  for (const api of ["responses", "messages"]) {
    const record = join(home, api);
    const player = `"${process.execPath}" "${at("tests", "trial", "lib", "counts.mjs")}"`;
    const { code, output } = await trial(
      "--player",
      player,
      "--api",
      api,
      "--arms",
      "sift",
      "--mark",
      "today",
      "--tasks",
      "2",
      "--record",
      record,
    );
    assert.equal(code, 0, output);
    const [size] = readdirSync(record);
    const [head, first] = linesOf(join(record, size, "sift-today.jsonl"));
    assert.deepEqual([head.api, head.arm], [api, "sift today"]);
    assert.deepEqual([first.steps.length, first.steps[0].text, first.ended], [1, "3 tools, 1 messages", true]);
  }
});

test("a weak player gets to an end", async () => {
  const record = join(home, "weak");
  const player = `"${process.execPath}" "${at("scripts", "lib", "trial", "players", "weak.mjs")}"`;
  const arms = ["sift", "sift+prefetch"];
  const asked = ["--player", player, "--arms", arms.join(","), "--size", "250", "--record", record, "--json"];
  const { code, stdout, output } = await trial(...asked);
  assert.equal(code, 0, output);
  for (const arm of arms) {
    const [, ...conversations] = linesOf(join(record, "250", `${arm}.jsonl`));
    const lost = conversations.filter(({ ended, steps }) => !ended || steps.length > 8);
    assert.deepEqual(lost, [], arm);
    const calls = conversations.flatMap(({ steps }) => steps).flatMap((step) => step.calls);
    if (arm === "sift") assert.ok(calls.filter(({ is }) => is === "refused").length > 10, "it did make mistakes");
  }
  const [before, ahead] = arms.map((arm) => JSON.parse(stdout).runs[0].arms.find((one) => one.arm === arm).served);
  assert.ok(ahead.searches < before.searches && ahead.called >= before.called && ahead.rounds < before.rounds);
});

test("what cannot be right", async () => {
  const refusals = [
    [{}, /say who plays/],
    [{ url: "http://x", player: "y" }, /say who plays/],
    [{ url: "http://x" }, /--url needs --model/],
    [{ url: "x", model: "m" }, /--url x is no URL/],
    [{ player: "x", api: "gopher" }, /--api gopher: it must be one of chat, responses, messages/],
    [{ player: "folder:x", api: "messages" }, /writes requests in one form/],
    [{ player: "x", size: "many" }, /--size many: it must be a whole number/],
    [{ player: "x", folder: "somewhere" }, /only --replay takes a folder/],
  ];
  for (const [asked, expected] of refusals) assert.throws(() => checked(asked), expected);
  assert.throws(() => readRuns(join(home, "nowhere")), /there is no such folder/);
  const arms = {
    sieve: /there is no arm sieve; there are everything, ai-sdk, sift, /,
    "ai-sdk+words": /the arm ai-sdk has no settings/,
    "sift+wrods": /the arm sift\+wrods: wrods is neither words nor prefetch nor/,
  };
  for (const [arm, expected] of Object.entries(arms)) assert.throws(() => armOf(ToolSift, arm), expected);
  const { code, output } = await trial("--url", "http://x");
  assert.equal(code, 1);
  assert.match(output, /--url needs --model/);
});
