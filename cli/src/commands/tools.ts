/** `toolsift tools`: the tools of all sources as one file, for the playground and for every command. */

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

/** What is no object is no tool, and has no place for the name of its server. */
function isDefinition(tool: unknown): tool is object {
  return typeof tool === "object" && tool !== null && !Array.isArray(tool);
}
