/**
 * Lists the additional tests of `npm run test:all`: the same code with an older version of an SDK, another client or another
 * runtime. `npm test` runs a short form of each.
 */

/** The variable that says so, for the processes of tests. */
export const ALL = { TOOLSIFT_TEST: "all" };

/** Whether everything is tested. */
export let isFull = process.env.TOOLSIFT_TEST === ALL.TOOLSIFT_TEST;

/** From now on everything is tested, in this process and in those that it starts. */
export function testAll() {
  Object.assign(process.env, ALL);
  isFull = true;
}

/** All of a list, or in the short form some of it: its last `count`, since the newest stands at the end. */
export const allOrLast = (list, count = 1) => (isFull ? list : list.slice(-count));
