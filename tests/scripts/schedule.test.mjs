/**
 * What `npm test` runs when.
 *
 * 1. A job runs after what it needs; jobs run at once up to the limit, and never two that hold the same thing.
 * 2. After a failure everything runs that does not need the failed job, and what was left out is told.
 * 3. Jobs that need each other are an error instead of an endless wait.
 * 4. Every check is whole: what it needs is a check, it has a title, and no two have one name.
 */

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { test } from "node:test";
import { CHECKS, withNeeds } from "../../scripts/lib/checks.mjs";
import { schedule } from "../../scripts/lib/schedule.mjs";

/** Runs jobs whose work is a pause. Returns what happened, in order, and the most that ran at once. */
async function ran(jobs, { atOnce = 2, failing = [] } = {}) {
  const told = [];
  let [now, most] = [0, 0];
  const run = async ({ name }) => {
    told.push(`+${name}`);
    most = Math.max(most, ++now);
    await pause(5);
    now--;
    told.push(`-${name}`);
    if (failing.includes(name)) throw new Error(`${name} failed`);
  };
  const outcomes = await schedule(jobs, { atOnce, run, skipped: ({ name }, lost) => told.push(`${name} lacks ${lost}`) });
  return { told, most, outcomes };
}

test("a job runs after what it needs, and at most so many at once", async () => {
  const jobs = [{ name: "c", needs: ["a", "b"] }, { name: "a" }, { name: "b" }, { name: "d" }];
  const { told, most } = await ran(jobs);
  assert.equal(most, 2);
  assert.ok(told.indexOf("+c") > Math.max(told.indexOf("-a"), told.indexOf("-b")), told.join());
  assert.equal((await ran(jobs, { atOnce: 1 })).most, 1);
});

test("two that hold the same thing never run at once, and do not hold others up", async () => {
  const { told } = await ran([{ name: "a", holds: "x" }, { name: "b", holds: "x" }, { name: "c" }]);
  assert.deepEqual(told.slice(0, 2), ["+a", "+c"]);
  assert.ok(told.indexOf("+b") > told.indexOf("-a"), told.join());
});

test("after a failure, what does not need it runs", async () => {
  const jobs = [
    { name: "a" },
    { name: "b", needs: ["a"] },
    { name: "c", needs: ["b"] },
    { name: "d" },
    { name: "e", needs: ["d"] },
  ];
  const { told, outcomes } = await ran(jobs, { failing: ["a"] });
  const states = Object.fromEntries([...outcomes].map(([name, { state }]) => [name, state]));
  assert.deepEqual(states, { a: "failed", b: "skipped", c: "skipped", d: "passed", e: "passed" });
  assert.equal(outcomes.get("a").error.message, "a failed");
  assert.equal(outcomes.get("c").because, "b");
  assert.ok(told.includes("b lacks a"));
});

test("a job whose need was not asked for runs, and a circle is an error", async () => {
  assert.equal((await ran([{ name: "a", needs: ["elsewhere"] }])).outcomes.get("a").state, "passed");
  await assert.rejects(
    ran([
      { name: "a", needs: ["b"] },
      { name: "b", needs: ["a"] },
    ]),
    /jobs that need each other: a, b/,
  );
});

test("every check is whole", () => {
  const names = CHECKS.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  for (const { name, title, needs = [] } of CHECKS) {
    assert.ok(title, name);
    for (const need of needs) assert.ok(names.includes(need), `${name} needs ${need}`);
  }
  assert.deepEqual(withNeeds(["site"]), ["site", "playground", "find-browser", "build", "capture"]);
});
