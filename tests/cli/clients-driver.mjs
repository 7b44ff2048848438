/** Runs the commands for clients as a process, apart from the rest of the command line. */

import { Command } from "commander";
import { mcpAddCommand } from "../../cli/dist/commands/mcp-add.js";
import { mcpClientsCommand } from "../../cli/dist/commands/mcp-clients.js";
import { mcpRemoveCommand } from "../../cli/dist/commands/mcp-remove.js";

const program = new Command("toolsift")
  .addCommand(mcpAddCommand())
  .addCommand(mcpRemoveCommand())
  .addCommand(mcpClientsCommand());
await program.parseAsync();
