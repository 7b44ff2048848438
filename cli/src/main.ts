/** The command line: reads the arguments, runs one command, and ends with its exit code. */

import { Command } from "commander";

const program = new Command("toolsift").description("Tool search for language-model agents.");
await program.parseAsync();
