/** `toolsift mcp add`: puts toolsift into a client's configuration and moves its servers behind it. */

import { Command } from "commander";
import { addTo } from "../clients/add.js";
import { wholeNumber } from "./options.js";
import { attempt, chosen, withChangeFlags, type ChangeFlags } from "./change-output.js";

const EXAMPLES = `
Examples:
  $ toolsift mcp add cursor --dry-run                # shows the change and writes nothing
  $ toolsift mcp add cursor --yes                    # makes the change without asking
  $ toolsift mcp add codex --keep playwright,figma   # these two servers stay in Codex
  $ toolsift mcp add claude-code --scope project     # changes the project's .mcp.json
  $ toolsift mcp add cursor --http 8080              # leads to a gateway that runs, with its token
  $ toolsift mcp add zed --create                    # also where Zed was not found on this machine

\`toolsift mcp remove\` undoes it.`;

/** The command `add [client]`. */
export function mcpAddCommand(): Command {
  const command = new Command("add").description(
    "put toolsift into a client's configuration and move its servers behind it",
  );
  return withChangeFlags(command)
    .addHelpText("after", EXAMPLES)
    .option("--keep <names>", "servers that stay in the client, separated by commas")
    .option("--create", "write the file of a client that was not found on this machine")
    .option(
      "--http <port>",
      "lead to the gateway that `mcp --http` serves on this port, with its token",
      wholeNumber(1, 65_535),
    )
    .action(async (id: string | undefined, flags: ChangeFlags & { keep?: string; create?: boolean; http?: number }) => {
      const [client, scope] = await chosen(command, id, flags);
      const keep = flags.keep
        ?.split(",")
        .map((name) => name.trim())
        .filter((name) => name !== "");
      const { create = false, http } = flags;
      const options = { scope, create, ...(keep && { keep }), ...(http !== undefined && { http }) };
      await attempt(flags, (dryRun) => addTo(client, { ...options, dryRun }));
    });
}
