/**
 * How often work is timed.
 *
 * 1. Quick work is warmed up and timed several times, promises are waited for.
 * 2. Work that may run only once per item runs once per item.
 * 3. Slow work runs once, until the time is used up; the other items have no time.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { quantile, timesOf } from "../../scripts/lib/bench/speed/timing.mjs";

const items = [...Array(20).keys()];

/** Work that counts its runs, and takes some milliseconds of a clock that nothing else moves. */
function counted(context, milliseconds) {
  let now = 0;
  context.mock.method(performance, "now", () => now);
  const runs = items.map(() => 0);
  const work = (item) => {
    runs[item] += 1;
    now += milliseconds;
  };
  return { runs, work };
}

test("quick work is timed several times", async (t) => {
  const { runs, work } = counted(t, 0);
  const times = await timesOf(items, work);
  assert.ok(
    runs.every((count) => count > 7),
    `${runs}`,
  );
  assert.ok(times.every(Number.isFinite));
});

test("work with a promise is waited for", async () => {
  const [time] = await timesOf([1], () => new Promise((done) => setTimeout(done, 5)));
  assert.ok(time >= 4, `${time}`);
});

test("work that may run once runs once", async (t) => {
  const { runs, work } = counted(t, 0);
  const times = await timesOf(items, work, 1);
  assert.deepEqual(
    runs,
    items.map(() => 1),
  );
  assert.ok(times.every(Number.isFinite));
});

test("slow work stops when the time is used up", async (t) => {
  const { runs, work } = counted(t, 700);
  const times = await timesOf(items, work);
  const done = items.map((_, at) => at < 3);
  assert.deepEqual(runs, done.map(Number));
  assert.deepEqual(times.map(Number.isFinite), done);
});

test("quantiles are values of the list", () => {
  assert.deepEqual(
    [0, 0.5, 0.95, 1].map((share) => quantile([4, 1, 3, 2], share)),
    [1, 2, 4, 4],
  );
});
