/**
 * Is a task priced as it is defined? Every expectation is worked out by hand.
 *
 * 1. A conversation sends everything again in every request; what was sent before and is an unchanged beginning is cached.
 * 2. A reveal makes everything behind the tools new, at the end of a request it does not; a warm cache knows the beginning.
 * 3. A search reveals the best, and others as far as number, budget, nearness and confidence go, and lists the rest.
 * 4. What is listed is added at once, in one more round trip; what is not shown is searched for, three times at most.
 * 5. A bridge reveals nothing and describes all that it needs in one round trip. A constant surface takes as many round trips as
 * the package otherwise, with the definitions in the answers; from which price of a cached token on it is cheaper is computed.
 * 6. Of settings about as good as the cheapest, the smallest is recommended, unless it solves less.
 * 7. Numbers that make no conversation are refused with what they may be.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { along, cheapest, recommended } from "../../scripts/lib/simulate/choose.mjs";
import { constantBelow } from "../../scripts/lib/simulate/constant-below.mjs";
import { cost, DEFAULTS, definitionsFor, priceOf } from "../../scripts/lib/simulate/conversation.mjs";
import { measure } from "../../scripts/lib/simulate/measure.mjs";
import { modelOf } from "../../scripts/lib/simulate/model.mjs";
import { asConstant, asPackage, bridge, CALL, inFull, searchAndReveal } from "../../scripts/lib/simulate/steps.mjs";

const MODEL = { ...DEFAULTS, turns: 3, at: 2, history: 100, growth: 10, cached: 0.1, output: 5 };
const BEGIN = { definitions: 20, prompt: 5 };

test("a conversation without discovery", () => {
  // Requests of 125, 135 and 145 tokens: 125 + 10 + 10 are new, 125 + 135 were there before.
  const spent = cost(BEGIN, inFull(), MODEL);
  assert.deepEqual(spent, { fresh: 145, cached: 260, output: 0, trips: 0 });
  assert.equal(priceOf(spent, MODEL), 171);
});

test("a step that reveals", () => {
  const found = { steps: [{ output: 4, answer: 6, revealed: 30 }], carried: 0 };
  // 125; the search's own request, 135; with 30 revealed and 10 more of history 175, of which 20 are known; 185.
  const spent = cost(BEGIN, found, MODEL);
  assert.deepEqual(spent, { fresh: 125 + 10 + 155 + 10, cached: 125 + 20 + 175, output: 4, trips: 1 });
  assert.equal(priceOf(spent, { ...MODEL, trip: 7 }), 300 + 32 + 20 + 7);
  // At the end of the request all of the 135 stay known.
  const appended = cost(BEGIN, found, { ...MODEL, append: true });
  assert.deepEqual(appended, { fresh: 125 + 10 + 40 + 10, cached: 125 + 135 + 175, output: 4, trips: 1 });
  // Warm, the first request finds definitions and prompt known.
  assert.deepEqual(cost(BEGIN, found, { ...MODEL, warm: true }), { ...spent, fresh: 275, cached: 345 });
});

test("a step that reveals nothing, and a call that carries more", () => {
  const found = { steps: [{ output: 4, answer: 6, revealed: 0 }], carried: 8 };
  // 125, 135, 145, and the last one with 10 of the turn and 8 of the call: 163.
  assert.deepEqual(cost(BEGIN, found, MODEL), { fresh: 163, cached: 125 + 135 + 145, output: 12, trips: 1 });
});

test("from which size on definitions cost more than a price", () => {
  // Each token is new once and cached twice: 1.2. Without any, 100 + 10 + 10 are new and 100 + 110 cached.
  assert.ok(Math.abs(definitionsFor(141 + 120, MODEL) - 100) < 1e-9);
  assert.equal(definitionsFor(1, MODEL), 0);
  assert.equal(definitionsFor(1, { ...MODEL, warm: true, cached: 0 }), Infinity);
});

const hit = (definition, score, meets = 0) => ({ definition, score, meets, line: 10, name: 2 });
const HITS = [hit(100, 10), hit(300, 8, 1), hit(50, 7), hit(60, 4, 2)];
const task = (needs, confidence = "high", hits = HITS) => ({ needs, confidence, hits });
const search = (count, revealed) => ({ output: CALL.search, answer: CALL.found + 10 * count, revealed });
const add = (count, revealed) => ({ output: CALL.add + 2 * count, answer: CALL.answer + 2 * count, revealed });

test("what a search reveals", () => {
  const steps = (setting, confidence) => searchAndReveal(setting, task(1, confidence)).steps;
  assert.deepEqual(steps({ reveal: 2, list: 0 }), [search(2, 400)]);
  // The second does not fit and is listed, the third does; the second is added then.
  assert.deepEqual(steps({ reveal: 2, list: 1, budget: 200 }), [search(3, 150), add(1, 300)]);
  // The best is revealed whatever it takes.
  assert.deepEqual(steps({ reveal: 3, list: 0, budget: 10 }), [search(3, 100), add(1, 300)]);
  assert.deepEqual(steps({ reveal: 4, list: 0, near: 0.75 }), [search(4, 400)]);
  assert.deepEqual(steps({ reveal: 2, list: 0, sure: "high" }, "low"), [search(2, 0), add(1, 300)]);
  assert.deepEqual(steps({ reveal: 2, list: 0, sure: "low" }, "low"), [search(2, 400)]);
  assert.deepEqual(steps({ reveal: 2, list: 0, sure: "low" }, "none"), [search(2, 0), add(1, 300)]);
  assert.deepEqual(steps({ reveal: 2, list: 0, sure: "any" }, "none"), [search(2, 400)]);
});

test("adding, asking for the next page, and giving up", () => {
  const run = (setting, needs, hits) => searchAndReveal(setting, task(needs, "high", hits));
  assert.deepEqual(run({ reveal: 0, list: 4 }, 3), { steps: [search(4, 0), add(2, 360)], carried: 0, solved: true });
  // The second page stands by itself: its best is revealed.
  assert.deepEqual(run({ reveal: 1, list: 1 }, 3).steps, [search(2, 100), search(2, 50), add(2, 360)]);
  const lost = { steps: [search(1, 100), search(1, 300), search(1, 50)], carried: 0, solved: false };
  assert.deepEqual(run({ reveal: 1, list: 0 }, 3), lost);
  // What there is of it is added all the same; an empty answer is not asked for twice.
  assert.deepEqual(run({ reveal: 0, list: 4 }, 4 | 1).steps, [search(4, 0), add(1, 300)]);
  assert.deepEqual(run({ reveal: 1, list: 0 }, 1, []), { steps: [search(0, 0)], carried: 0, solved: false });
});

test("a bridge", () => {
  const describe = { output: 2 * (CALL.describe + 2), answer: 2 * CALL.answer + 360, revealed: 0 };
  const steps = [search(3, 0), search(1, 0), describe];
  steps[2].output = 2 * CALL.describe + 4;
  const { forward } = CALL;
  assert.deepEqual(bridge({ list: 3 }, task(3)), { steps, carried: 2 * forward + 4, solved: true });
  assert.deepEqual(bridge({ list: 1 }, task(2)), {
    steps: [search(1, 0), search(1, 0), search(1, 0)],
    carried: 0,
    solved: false,
  });
});

test("means are over sets, however large", () => {
  const of = (tasks) => ({ tasks, beginnings: { reveal: BEGIN } });
  const [found, lost] = [task(1, "high", [hit(30, 1, 1)]), task(1, "high", [])];
  const sets = [of([found]), of([found, lost, lost])];
  const { solved, trips, price, perSolved } = measure("reveal", { reveal: 1, list: 0 }, sets, MODEL);
  assert.ok(Math.abs(solved - (1 + 1 / 3) / 2) < 1e-12);
  assert.ok(Math.abs(trips - 1) < 1e-12);
  assert.ok(Math.abs(perSolved - price / solved) < 1e-9);
});

test("what is recommended", () => {
  const row = (reveal, list, perSolved, solved = 0.9, budget = 500) => {
    return { setting: { reveal, list, budget }, perSolved, solved };
  };
  const flat = [row(5, 5, 100), row(2, 8, 101.9), row(3, 7, 101), row(2, 8, 101, 0.9, 1000)];
  const rows = [...flat, row(1, 8, 101, 0.8), row(1, 7, 102.1)];
  assert.equal(cheapest(rows), rows[0]);
  assert.equal(recommended(rows), rows[1]);
  assert.deepEqual(along(rows, rows[1].setting, "budget"), [rows[1], rows[3]]);
  assert.equal(recommended([row(1, 1, Infinity, 0)]).perSolved, Infinity);
});

test("bad numbers", () => {
  assert.deepEqual(modelOf({}), DEFAULTS);
  assert.equal(modelOf({ cached: "0.25", turns: "9", warm: true }).cached, 0.25);
  const cases = [
    [{ turns: "0" }, /--turns 0: it must be a whole number from 1 to 1000/],
    [{ turns: "2.5" }, /--turns 2.5: it must be a whole number/],
    [{ cached: "2" }, /--cached 2: it must be a number from 0 to 1/],
    [{ output: "-1" }, /--output -1/],
    [{ history: "many" }, /--history many/],
    [{ growth: "" }, /--growth/],
    [{ turns: "3", at: "4" }, /--at 4 is behind the last of 3 turns/],
  ];
  for (const [said, message] of cases) assert.throws(() => modelOf(said), message);
});

test("a constant surface", () => {
  const hits = HITS.map((one, at) => ({ ...one, loads: at === 1 }));
  const asked = { ...task(3, "high", hits), listed: 4 };
  assert.deepEqual(asPackage({ page: 4 }, asked), { steps: [search(4, 300), add(1, 60)], carried: 0, solved: true });
  const told = [search(4, 300), add(1, 60)].map((one) => ({ ...one, answer: one.answer + one.revealed, revealed: 0 }));
  assert.deepEqual(asConstant({ page: 4 }, asked), { steps: told, carried: 2 * CALL.forward + 4, solved: true });

  const row = (fresh, cached) => ({ fresh, cached, output: 0, trips: 1 });
  const more = (constant, now) => (cached) => priceOf(constant, { ...MODEL, cached }) - priceOf(now, { ...MODEL, cached });
  assert.equal(constantBelow(more(row(100, 300), row(200, 100))), 0.5);
  assert.equal(constantBelow(more(row(100, 150), row(200, 100))), 1);
  assert.equal(constantBelow(more(row(110, 100), row(100, 100))), 0);
});
