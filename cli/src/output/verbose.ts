/** `--verbose`: texts that are cut otherwise are printed whole. */

import { type Command, Option } from "commander";
import { printWhole } from "./escape.js";

/** The option, which counts for one run of a command. */
export function verboseOption(command: Command): Option {
  command.hook("preAction", (_, run) => printWhole(run.opts()["verbose"] === true));
  return new Option("--verbose", "print long texts and lists whole");
}
