/** `toolsift mcp add`: puts toolsift into a client's configuration and moves its servers behind it. */

import { Command } from "commander";
import { addTo } from "../clients/add.js";
import { attempt, chosen, withChangeFlags, type ChangeFlags } from "./change-output.js";

/** The command `add [client]`. */
export function mcpAddCommand(): Command {
  const command = new Command("add").description(
    "put toolsift into a client's configuration and move its servers behind it",
  );
  return withChangeFlags(command)
    .option("--keep <names>", "servers that stay in the client, separated by commas")
    .action(async (id: string | undefined, flags: ChangeFlags & { keep?: string }) => {
      const [client, scope] = await chosen(command, id, flags);
      const keep = flags.keep
        ?.split(",")
        .map((name) => name.trim())
        .filter((name) => name !== "");
      await attempt(flags, (dryRun) => addTo(client, { scope, dryRun, ...(keep && { keep }) }));
    });
}
