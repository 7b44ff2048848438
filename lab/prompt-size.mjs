/** `npm run prompt-size`: measures the cost of tools in a prompt, sent in full and with each profile. */

import { build } from "../scripts/build.mjs";
import { captureStep } from "../scripts/capture.mjs";
import { readCatalogs } from "../scripts/lib/catalogs.mjs";
import { table } from "./lib/columns.mjs";
import { CONVERSATION_HELP, CONVERSATION_SPEC, conversationOf } from "./conversation/command.mjs";
import { runConversation, runLedger } from "./conversation/command.mjs";
import { options } from "../scripts/lib/options.mjs";
import { at } from "../scripts/lib/paths.mjs";
import { dim, isCommand, main } from "../scripts/lib/progress.mjs";
import { measure, REVEALS } from "./lib/prompt-cost.mjs";

const HELP = `npm run prompt-size [-- DIR] [-- --json] [-- --conversation [--gateway]]

Tokens of the tools of every catalog in a folder, and of all of them together: sent in full, in the first request with
each profile (switched on, all tools deferred), and when five of the tools are in use: that request, and what the
discovery tools answered on the way there. Kept is the share of the request before that a prompt cache keeps when a
tool is put to use, at worst.
  DIR      a folder of tools/list answers as JSON files; default: real MCP servers, captured on this machine
  --json   the same for programs

Tokens are characters / 4, in OpenAI's Chat Completions format.

${CONVERSATION_HELP}`;

/** Measures every catalog, and all catalogs together, under every profile. */
function measureAll(ToolSift, folder) {
  const catalogs = readCatalogs(folder);
  const sets = catalogs.map((catalog) => ({ name: catalog.server, catalogs: [catalog] }));
  if (catalogs.length > 1) sets.push({ name: `all ${catalogs.length}`, catalogs });
  return sets.flatMap(({ name, catalogs }) =>
    ToolSift.profiles().map(({ name: profile }) => ({ catalog: name, profile, ...measure(ToolSift, profile, catalogs) })),
  );
}

const number = (value) => Math.round(value).toLocaleString("en-US");
const share = (value) => `${(100 * value).toFixed(1)} %`;

function print(rows) {
  const columns = [
    ["tools", ({ tools }) => number(tools)],
    ["in full", ({ full }) => number(full)],
    ["first", ({ first }) => number(first)],
    ["saved", ({ full, first }) => share(1 - first / full)],
    [`${REVEALS} in use`, ({ later }) => number(later)],
    ["saved", ({ full, later }) => share(1 - later / full)],
    ["kept", ({ kept }) => share(kept)],
  ];
  const labelled = rows.map((row) => [`${row.catalog}, ${row.profile}`, row]);
  table("Tokens by catalog and profile", columns, labelled);
  console.log(
    dim(
      "\nTokens are characters / 4. In use: the request and the answers on the way. Kept: of the request before, at worst.",
    ),
  );
}

if (isCommand(import.meta.url)) {
  const asked = options({ json: { type: "boolean" }, ...CONVERSATION_SPEC }, HELP, { operand: "folder" });
  const { json, folder } = asked;
  await main(async () => {
    const conversation = conversationOf(asked);
    await build();
    if (folder === undefined) await captureStep();
    const { ToolSift } = await import(at("pkg", "dist", "index.js"));
    const source = folder ?? at("www", "captured");
    if (conversation?.gateway) {
      const { gateway } = await import(at("pkg", "dist", "gateway.js"));
      return runLedger(ToolSift, gateway, conversation.lists ?? readCatalogs(source), conversation, json);
    }
    if (conversation) return runConversation(ToolSift, conversation.lists ?? readCatalogs(source), conversation, json);
    const rows = measureAll(ToolSift, source);
    if (json) console.log(JSON.stringify({ rows }, null, 2));
    else print(rows);
  });
}
