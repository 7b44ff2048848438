/** Checks the answers of a runtime and measures its start time, in several new processes. */

/** Starts a kind of runtime so many times; `ok` is false with a `reason` where it cannot be had or answers otherwise. */
export async function measure({ name, runtime, loader, start }, { native, steps, runs }) {
  const row = { name, runtime, version: null, loader, ok: false, cold: null, bytes: null, reason: null };
  let started;
  try {
    started = await start();
    row.version = started.version;
    const cold = [];
    for (let run = 0; run < runs; run++) {
      const answered = await started.once();
      row.reason = difference(answered, native, steps);
      if (row.reason !== null) return row;
      cold.push(answered.cold);
    }
    return {
      ...row,
      ok: true,
      cold: cold.toSorted((one, other) => one - other)[cold.length >> 1],
      bytes: started.bytes?.() ?? null,
    };
  } catch (error) {
    return { ...row, reason: told(error) };
  } finally {
    await started?.close?.();
  }
}

/** Where answers are not the native ones, in a line; null where they are. */
export function difference({ found, answers }, native, steps) {
  if (answers.length !== native.length) return `${answers.length} answers to ${native.length} steps`;
  const at = answers.findIndex((answer, i) => answer !== native[i]);
  if (at >= 0) {
    const from = [...native[at]].findIndex((character, i) => character !== answers[at][i]);
    const part = (text) => JSON.stringify(text.slice(Math.max(0, from - 40), from + 40));
    return `step ${at}, ${JSON.stringify(steps[at]).slice(0, 200)}: ${part(answers[at])}, natively ${part(native[at])}`;
  }
  return found > 0 ? null : "the first search found nothing";
}

/** Lines of what a program printed that are shown. */
const SHOWN = 4;

/** What went wrong: those of the program's lines that speak of an error, or else its last. */
function told({ output, message }) {
  const lines = (output ?? "").trimEnd().split("\n");
  const errors = lines.filter((line) => /error/i.test(line)).slice(0, SHOWN);
  return [message.split("\n")[0], ...(errors.length > 0 ? errors : lines.slice(-SHOWN))].filter(Boolean).join("\n");
}
