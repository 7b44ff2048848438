/**
 * Does the package answer everywhere as the native library does?
 *
 * 1. In every runtime that the packages of the workspace bring along, every step of the script has the native answer, byte
 * for byte, and so it has where several native threads share its catalogs. 2. The script uses everything that is public, under every profile, and gets every kind of outcome. 3. A runtime
 * that answers otherwise, less, or not at all is told, with the step or the reason.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { isFull } from "../../scripts/lib/full.mjs";
import { PROFILES } from "../../scripts/runtimes/script/steps.mjs";
import { programData } from "../../scripts/runtimes/app.mjs";
import { closeBrowser } from "../../scripts/runtimes/chromium.mjs";
import { BRIEF, SHORT } from "../../scripts/runtimes/kinds.mjs";
import { measure } from "../../scripts/runtimes/measure.mjs";
import { nativeAnswers, nativeProgram, told } from "../../scripts/runtimes/native.mjs";
import { Session, ToolSift } from "toolsift";

/** What is public and not a step, and why. */
const NO_STEPS = {
  checkSession: "internal: the adapters' and the store's tests refuse the sessions of others",
  keepNames: "internal: the tests of the guard and of the gateway hold tools back",
  isOf: "internal, likewise",
  look: "internal: the tests of OpenAI's agents look at tools without sending them",
  named: "internal: the adapters' tests ask for tools by their names",
  constructor: "is the step `new`",
  settings: "is the answer of the step `new`",
  session: "is asked by every step of a session",
  dispose: "leaves nothing to answer; what it does is tested with the package",
  callAll: "is `call`, one by one, in the package itself",
  callAsync: "is `call` with scores, after a ranker of the host's was asked, in the package itself",
  searchedNames: "is internal: the names that a ranker of the host's chooses from",
  found: "is internal: `search` in the session",
  fromMessages: "is the package itself, over steps that are here; natively there is none",
  uniqueKey: "is internal",
  owned: "is internal: what keeps the core, for a door",
  hasOwn: "is internal: whether a session has registered tools of its own",
  isScoped: "is internal: whether a scope was given",
  keepAnswer: "is internal: keeps an answer that was cut, for read_cut_answer",
  ranker: "is internal: the ranker of `settings`, and the version",
  id: "is what the session was opened with",
};

const { steps } = programData();
let native;

before(async () => (native = await nativeAnswers(steps)));
after(closeBrowser);

for (const kind of isFull ? SHORT : BRIEF) {
  test(`${kind.runtime}, ${kind.loader}`, async () => {
    const { ok, reason, version, cold } = await measure(kind, { native, steps, runs: 1 });
    assert.equal(reason, null);
    assert.ok(ok && version.length > 0 && cold > 0);
  });
}

test("the script uses everything that is public", () => {
  const used = new Set(steps.map((step) => step.do));
  const members = [ToolSift, Session].flatMap((one) => Object.getOwnPropertyNames(one.prototype));
  const statics = Object.getOwnPropertyNames(ToolSift).filter((name) => !["length", "name", "prototype"].includes(name));
  const wanted = [...new Set([...members, ...statics])].filter((name) => !(name in NO_STEPS));
  assert.deepEqual(
    wanted.filter((name) => !used.has(name)),
    [],
  );
  assert.ok(wanted.length > 15);
  assert.deepEqual(
    PROFILES.toSorted(),
    ToolSift.profiles()
      .map(({ name }) => name)
      .sort(),
  );
});

test("the script gets every kind of outcome and most errors", () => {
  const answers = native.map((line) => JSON.parse(line));
  assert.deepEqual([...new Set(answers.map((one) => one?.kind).filter(Boolean))].sort(), ["dispatch", "refused", "result"]);
  const codes = new Set(answers.flatMap((one) => [one?.error?.code, one?.errorCode]).filter(Boolean));
  const rejected = answers.flatMap((one) => one?.rejected ?? []).map(({ code }) => code);
  assert.ok(codes.size >= 30, `${codes.size} codes: ${[...codes].sort().join(", ")}`);
  assert.ok(new Set(rejected).size >= 6);
});

const kind = (start) => ({
  name: "x",
  runtime: "X",
  loader: "y",
  start: async () => ({ version: "1", ...(await start()) }),
});
const rowOf = (start) => measure(kind(start), { native, steps, runs: 2 });
const right = () => ({ cold: 1, found: 1, answers: [...native] });

test("sessions of several threads over one catalog", async () => {
  const program = await nativeProgram();
  const { reason } = await rowOf(() => ({
    once: async () => JSON.parse(await told(program, ["--threads"], programData())),
  }));
  assert.equal(reason, null);
});

test("a runtime that answers as it should has the median of its starts", async () => {
  const colds = [5, 3];
  const { ok, cold, reason } = await rowOf(() => ({ once: async () => ({ ...right(), cold: colds.pop() }) }));
  assert.deepEqual({ ok, cold, reason }, { ok: true, cold: 5, reason: null });
});

test("one other character is told with its step", async () => {
  const at = 400;
  const changed = () => right().answers.with(at, native[at].replace(/.$/, "!"));
  const { ok, reason, cold } = await rowOf(() => ({ once: async () => ({ ...right(), answers: changed() }) }));
  assert.deepEqual([ok, cold], [false, null]);
  assert.ok(
    reason.startsWith(`step ${at}, ${JSON.stringify(steps[at]).slice(0, 20)}`) && reason.includes("natively"),
    reason,
  );
});

test("a wrong answer of a later process is told too", async () => {
  let times = 0;
  const wrong = () => ({ ...right(), answers: right().answers.with(0, "0") });
  const { ok } = await rowOf(() => ({ once: async () => (times++ === 0 ? right() : wrong()) }));
  assert.equal(ok, false);
});

test("fewer answers, an empty search, and a runtime that cannot be had", async () => {
  const fewer = await rowOf(() => ({ once: async () => ({ ...right(), answers: native.slice(1) }) }));
  assert.equal(fewer.reason, `${native.length - 1} answers to ${native.length} steps`);
  const empty = await rowOf(() => ({ once: async () => ({ ...right(), found: 0 }) }));
  assert.match(empty.reason, /found nothing/);
  const ended = (output) => Object.assign(new Error("npm ended with 1"), { output });
  const missing = await rowOf(() => Promise.reject(ended("some\nerror: no network\nthe log is there\n")));
  assert.deepEqual([missing.ok, missing.version, missing.reason], [false, null, "npm ended with 1\nerror: no network"]);
  const silent = await rowOf(() => Promise.reject(ended("a\nb\n")));
  assert.equal(silent.reason, "npm ended with 1\na\nb");
  let closed = 0;
  const failing = await rowOf(() => ({ once: () => Promise.reject(new Error("crashed")), close: () => closed++ }));
  assert.deepEqual([failing.reason, closed], ["crashed", 1]);
});
