/** Counts the tests that ran, from the closing lines of the test runners of cargo, wasm-bindgen, Node and Python. */

const CARGO = /^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored/gm;
const PYTEST = /^(?:=+ )?(?:\d+ \w+, )*\d+ \w+ in \d[\d.]*s/gm;
const NODE = /^ℹ (pass|fail|cancelled|skipped) (\d+)$/gm;

/** A count of tests. */
export const none = () => ({ passed: 0, failed: 0, skipped: 0 });

/** The tests that the output of a runner, or of several, tells of. */
export function tally(output) {
  const count = none();
  for (const [, passed, failed, ignored] of output.matchAll(CARGO)) {
    add(count, { passed: Number(passed), failed: Number(failed), skipped: Number(ignored) });
  }
  for (const [line] of output.matchAll(PYTEST)) {
    for (const key of Object.keys(count)) count[key] += Number(new RegExp(`(\\d+) ${key}`).exec(line)?.[1] ?? 0);
  }
  const key = { pass: "passed", fail: "failed", cancelled: "failed", skipped: "skipped" };
  for (const [, what, number] of output.matchAll(NODE)) count[key[what]] += Number(number);
  return count;
}

/** Adds a count to another. */
export function add(total, more) {
  for (const key of Object.keys(total)) total[key] += more[key];
}

/** `12 passed`, with what else there is to say. */
export function inWords({ passed, failed, skipped }) {
  const parts = [`${passed} passed`];
  if (failed > 0) parts.push(`${failed} failed`);
  if (skipped > 0) parts.push(`${skipped} skipped`);
  return parts.join(", ");
}
