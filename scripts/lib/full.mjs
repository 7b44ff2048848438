/**
 * Lists the additional tests of `npm run test:all`: the same code with an older version of an SDK, another client or another
 * runtime. `npm test` runs a short form of each.
 */

/** The environment variable with which the processes of tests run all tests. */
export const ALL = { TOOLSIFT_TEST: "all" };

/** Whether all tests are run, and not the short form. */
export let isFull = process.env.TOOLSIFT_TEST === ALL.TOOLSIFT_TEST;

/** Switches to all tests, in this process and in processes that it starts. */
export function testAll() {
  Object.assign(process.env, ALL);
  isFull = true;
}

/** Returns the whole list, or in the short form its last `count` entries, because the newest entry is the last one. */
export const allOrLast = (list, count = 1) => (isFull ? list : list.slice(-count));
