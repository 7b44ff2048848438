/** `toolsift mcp remove`: takes toolsift out of a client's configuration and puts its servers back. */

import { Command } from "commander";
import { removeFrom } from "../clients/remove.js";
import { attempt, chosen, withChangeFlags, type ChangeFlags } from "./change-output.js";

const EXAMPLES = `
Examples:
  $ toolsift mcp remove cursor --dry-run               # shows the change and writes nothing
  $ toolsift mcp remove cursor --yes                   # makes the change without asking
  $ toolsift mcp remove claude-code --scope project    # takes it out of the project's .mcp.json`;

/** The command `remove [client]`. */
export function mcpRemoveCommand(): Command {
  const command = new Command("remove").description(
    "take toolsift out of a client's configuration and put its servers back",
  );
  withChangeFlags(command).addHelpText("after", EXAMPLES);
  return command.action(async (id: string | undefined, flags: ChangeFlags) => {
    const [client, scope] = await chosen(command, id, flags);
    await attempt(flags, (dryRun) => removeFrom(client, { scope, dryRun }));
  });
}
