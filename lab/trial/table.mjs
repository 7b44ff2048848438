/** Prints the results of runs: a row for each arm, and how certain the differences between arms are. */

import { table } from "../lib/columns.mjs";
import { bootstrap } from "../eval/bootstrap.mjs";
import { bold, dim } from "../../scripts/lib/progress.mjs";
import { meanScores, scoresOf } from "./score.mjs";

const percent = (value) => (100 * value).toFixed(0);
const decimal = (value) => value.toFixed(1);
const whole = (value) => Math.round(value).toLocaleString("en-US");

/** The columns of the table, each with its title and figure. */
const QUALITY = [
  ["called %", "called", percent],
  ["loaded %", "loaded", percent],
  ["all %", "all", percent],
  ["wrong", "wrong", decimal],
  ["early", "early", decimal],
  ["guessed", "guessed", decimal],
];
const COST = [
  ["rounds", "rounds", decimal],
  ["searches", "searches", decimal],
  ["empty", "empty", decimal],
  ["tools", "tools", decimal],
  ["last", "last", whole],
  ["sent", "sent", whole],
  ["priced", "priced", whole],
  ["warm", "warm", whole],
];
const NOTHING = [["wrong", "wrong", decimal], ...COST];

/** The figures by which pairs of arms are compared, with their units. */
const COMPARED = [
  ["called, points", "called", (value) => (100 * value).toFixed(1)],
  ["rounds", "rounds", (value) => value.toFixed(2)],
  ["priced", "priced", whole],
];

/**
 * Returns the scores of a run: `{ name, arms: [{ head, tasks: [{ id, needs, scores }] }] }`. Tasks are sorted by id, because
 * sums of fractions depend on the order.
 */
export const scoredRun = ({ name, arms }, rates) => ({
  name,
  arms: arms.map(({ head, conversations }) => {
    const tasks = conversations.map((one) => {
      return { id: one.task, needs: one.needs.length, scores: scoresOf(one, head, rates) };
    });
    return { head, tasks: tasks.sort((a, b) => (a.id < b.id ? -1 : 1)) };
  }),
});

/** Returns the means of a run, for programs. */
export const summaryOf = ({ name, arms }) => ({
  name,
  arms: arms.map(({ head, tasks }) => ({ ...head, served: meansOf(served(tasks)), unserved: meansOf(unserved(tasks)) })),
});

const served = (tasks) => tasks.filter(({ needs }) => needs > 0);
const unserved = (tasks) => tasks.filter(({ needs }) => needs === 0);
const meansOf = (tasks) => ({ tasks: tasks.length, ...(tasks.length > 0 && meanScores(tasks.map(({ scores }) => scores))) });

export function printRun({ name, arms }) {
  const [{ head }] = arms;
  const days = [...new Set(arms.map(({ head: { date } }) => date))].sort();
  const about = [
    head.model,
    [...new Set([days[0], days.at(-1)])].join(" to "),
    `${head.size} tools`,
    head.set ?? "our tasks",
  ].join(", ");
  console.log(`\n${bold(name === "" ? about : `${name}: ${about}`)}`);
  const print = (title, columns, choose) => {
    const rows = arms.map((arm) => [arm.head.arm, meansOf(choose(arm.tasks))]).filter(([, { tasks }]) => tasks > 0);
    const cells = columns.map(([head, key, show]) => [head, (row) => show(row[key])]);
    if (rows.length > 0) table(title, [["tasks", ({ tasks }) => tasks], ...cells], rows);
  };
  print("tasks with needs", [...QUALITY, ...COST], served);
  print("tasks that nothing serves", NOTHING, unserved);
  printPairs(arms);
}

/** Prints the comparison of every two arms, on the tasks that both have played. */
function printPairs(arms) {
  const pairs = arms.flatMap((one, at) => arms.slice(at + 1).map((other) => [one, other]));
  if (pairs.length === 0) return;
  console.log(dim("differences, with their 95 % interval"));
  for (const [one, other] of pairs) {
    const both = served(one.tasks).flatMap(({ id, scores }) => {
      const same = other.tasks.find((task) => task.id === id);
      return same ? [[scores, same.scores]] : [];
    });
    if (both.length === 0) continue;
    const shown = COMPARED.map(([title, key, show]) => {
      const { mean, low, high } = bootstrap([both.map(([a, b]) => a[key] - b[key])]).macro;
      return `${title} ${mean > 0 ? "+" : ""}${show(mean)} [${show(low)}, ${show(high)}]`;
    });
    console.log(`${one.head.arm} − ${other.head.arm}: ${shown.join(" · ")}`);
  }
}

export function printLegend() {
  console.log(
    dim(`
Means over tasks. called, loaded: the share of a task's needs of which a right tool was called, or its whole definition was
seen. all: tasks of which every need was called. wrong: calls of tools that write and that nobody needs. early: calls of
tools that were not loaded. guessed: names that no tool has. empty: searches that show no tool. tools: whole definitions
that were seen. last, sent: tokens of the last request, and of all. priced: what all cost with a cache that begins empty,
output included, as so many new tokens of input; warm: after another conversation with the same tools. Tokens are
characters / 4.`),
  );
}
