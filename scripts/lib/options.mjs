/** Reads the command line. Misspelt options are refused, and `--help` works everywhere. */

import { parseArgs } from "node:util";

/**
 * The options of a command as `parseArgs` takes them; prints the help where it is asked for or needed, and ends. A command
 * that takes one thing without a name, such as a folder, gets it under the name that `operand` gives it; one that takes several gets
 * their list under the name that `operands` gives it.
 */
export function options(spec, help, { operand, operands } = {}) {
  try {
    const { values, positionals } = parseArgs({
      options: { ...spec, help: { type: "boolean", short: "h" } },
      allowPositionals: (operand ?? operands) !== undefined,
    });
    if (operands !== undefined && !values.help) return { ...values, [operands]: positionals };
    if (positionals.length > 1) throw new Error(`one ${operand} at a time, got ${positionals.join(" ")}`);
    if (!values.help) return positionals.length > 0 ? { ...values, [operand]: positionals[0] } : values;
    console.log(help);
    process.exit(0);
  } catch (error) {
    console.error(`${error.message}\n\n${help}`);
    process.exit(2);
  }
}
