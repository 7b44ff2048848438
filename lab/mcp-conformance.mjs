/**
 * `npm run mcp-conformance`: runs the official conformance suite against an MCP server, directly and through the gateway.
 */

import { build } from "../scripts/build.mjs";
import { providePackages } from "./lib/packages.mjs";
import { runClient } from "./mcp-conformance/client-scenarios.mjs";
import { lost, runTargets } from "./mcp-conformance/run.mjs";
import { printLost, printWays } from "./mcp-conformance/table.mjs";
import { options } from "../scripts/lib/options.mjs";
import { isCommand, main, step } from "../scripts/lib/progress.mjs";

const HELP = `npm run mcp-conformance [-- --json]

Runs the server scenarios of @modelcontextprotocol/conformance against a server that has what they ask for: alone, and
behind "toolsift mcp --http" as a process and over HTTP, in the older and the newer protocol, passed through as catalogs
this small are, and behind the constant surface (--activation on), where every call goes through call_destructive_tool.
Then runs the client scenarios against the transports and the sign-in of the command line. Ends with an error when a
server scenario passes directly and not through, or a client scenario does not pass, and no reason for it is known.
  --json   the same for programs`;

if (isCommand(import.meta.url)) {
  const { json } = options({ json: { type: "boolean" } }, HELP);
  await main(async () => {
    await providePackages();
    await build();
    const ways = await step("the conformance suite, directly and through the gateway", () => runTargets());
    const entries = lost(ways);
    const client = await step("the client scenarios", () => runClient());
    const failed = client.filter(({ passes }) => !passes);
    if (json) console.log(JSON.stringify({ ways, lost: entries, client }, null, 2));
    else {
      printWays(ways);
      printLost(entries);
      console.log(`\nClient: ${client.length - failed.length} of ${client.length} scenarios pass`);
      for (const { scenario, why = "no reason is known" } of failed) console.log(`  ${scenario}: ${why}`);
    }
    return [...entries, ...failed].every(({ why }) => why !== undefined) ? 0 : 1;
  });
}
