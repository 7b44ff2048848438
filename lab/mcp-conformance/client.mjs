/**
 * The client that the official conformance suite runs, with the server's URL as its last argument: it connects with the
 * transports and the sign-in of the command line, lists the tools and calls each. The suite's page to sign in redirects at
 * once, so that a request stands for the browser.
 *
 *   bun lab/node_modules/@modelcontextprotocol/conformance/dist/index.js client \
 *     --command "node lab/mcp-conformance/client.mjs" --scenario auth/basic-cimd
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { transportFor } from "../../cli/dist/gateway/transports.js";

const url = process.argv.at(-1);
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");
const folder = mkdtempSync(join(tmpdir(), "toolsift-conformance-"));

const oauth = {
  clientMetadataUrl: "https://conformance-test.local/client-metadata.json",
  ...(context.client_id === undefined ? {} : { clientId: context.client_id, clientSecret: context.client_secret }),
};

/** The suite's authorization server redirects immediately, without a question to the user. */
const onAuthorize = ({ url: page, isFirst }) => {
  if (isFirst) void fetch(page).then((answer) => answer.text());
  return 20_000;
};

const transport = transportFor("conformance", { url, oauth }, { folder, onAuthorize });
const client = new Client(
  { name: "toolsift", version: "0.1.0" },
  { capabilities: { elicitation: { form: { applyDefaults: true } } } },
);
client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: {} }));

try {
  await client.connect(transport);
  const { tools } = await client.listTools();
  for (const { name, inputSchema } of tools) {
    const args = Object.fromEntries(Object.keys(inputSchema.properties ?? {}).map((key, at) => [key, at + 2]));
    await client.callTool({ name, arguments: args });
  }
} catch (error) {
  process.stderr.write(`${transport.explain(error).message}\n`);
  process.exitCode = 1;
} finally {
  await client.close();
  rmSync(folder, { recursive: true, force: true });
}
