/**
 * Plays conversations with one client: `play.mjs PROGRAM`, where the program is a module with a function `play`.
 *
 * It reads and prints lines as play.py does.
 */

import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

// Output of frameworks goes to stderr, because stdout has the results.
for (const name of ["log", "info", "debug"]) console[name] = console.error;

const { play } = await import(pathToFileURL(process.argv[2]).href);

for await (const line of createInterface({ input: process.stdin })) {
  const { id, answers, ...options } = JSON.parse(line);
  const ran = [];
  const execute = (name, args) => {
    ran.push({ name, args });
    return answers[name] ?? `${name} did it`;
  };
  let told;
  try {
    const text = await play({ ...options, execute });
    told = { result: { ran, text } };
  } catch (error) {
    told = { error: error.stack };
  }
  process.stdout.write(`${JSON.stringify({ id, ...told })}\n`);
}
// Some clients keep connections open, so the process is ended explicitly.
process.exit();
