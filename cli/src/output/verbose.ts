/** The option `--verbose`, which prints long texts and lists whole. */

import { type Command, Option } from "commander";
import { printWhole } from "./escape.js";

/** Returns the option, which applies to one run of the command. */
export function verboseOption(command: Command): Option {
  command.hook("preAction", (_, run) => printWhole(run.opts()["verbose"] === true));
  return new Option("--verbose", "print long texts and lists whole");
}
