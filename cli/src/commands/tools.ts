/** `toolsift tools`: prints the tools of all sources as one JSON file, for the playground and for other commands. */

import { Command } from "commander";
import { printJson } from "../output/print.js";
import { readSources, type SourceOptions, withSources } from "../sources/sources.js";

export function toolsCommand(): Command {
  return withSources(new Command("tools"))
    .description("print the tools of the sources as JSON, each with its server")
    .addHelpText(
      "after",
      `
Examples:
  $ toolsift tools mcp.json > tools.json
  $ toolsift tools https://mcp.example.com/mcp --header 'Authorization: Bearer \${TOKEN}' > tools.json

The playground reads the file, and so does every command that takes a FILE.`,
    )
    .action(async (paths: string[], options: SourceOptions) => {
      const { lists } = await readSources(paths, options);
      const named = lists.flatMap(({ server, tools }) => tools.filter(isDefinition).map((tool) => ({ ...tool, server })));
      printJson({ tools: named });
    });
}

/** Returns true if a tool is an object. Anything else is not a tool, and could not hold the name of its server. */
function isDefinition(tool: unknown): tool is object {
  return typeof tool === "object" && tool !== null && !Array.isArray(tool);
}
