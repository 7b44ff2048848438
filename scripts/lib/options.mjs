/** Reads the command line. Misspelt options are refused, and `--help` works everywhere. */

import { parseArgs } from "node:util";
import { progressTo } from "./progress.mjs";
import { Problem } from "./run.mjs";

/**
 * Reads the options of a command with `parseArgs`. If the help is requested or needed, prints it and ends the process. With
 * `--json`, progress goes to stderr. A command with one positional argument, such as a folder, gets it under the name
 * `operand`. A command with several gets their list under the name `operands`.
 */
export function options(spec, help, { operand, operands } = {}) {
  try {
    const { values, positionals } = parseArgs({
      options: { ...spec, help: { type: "boolean", short: "h" } },
      allowPositionals: (operand ?? operands) !== undefined,
    });
    if (values.json) progressTo(process.stderr);
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

/** Parses an option's value as a number. A number out of range is refused. */
export function numberOf(name, text, least, most, { isWhole = true } = {}) {
  const value = Number(text);
  if (text.trim() !== "" && value >= least && value <= most && (!isWhole || Number.isInteger(value))) return value;
  throw new Problem(`--${name} ${text}: it must be a ${isWhole ? "whole number" : "number"} from ${least} to ${most}`);
}
