/** `toolsift mcp`: serves the MCP servers of a file or a client as one (the gateway), and has the subcommands of the gateway. */

import { Command, Option } from "commander";
import type { GatewayOptions } from "toolsift/gateway";
import { endpointOf, type EnrichFlags, withEnrich } from "../enrich/background.js";
import { misuse } from "../base/failure.js";
import type { PlanSource } from "../gateway/plan.js";
import { collected, type EnrichmentOptions, withEnrichment } from "../sources/enrichment.js";
import { mcpApproveCommand } from "./mcp-approve.js";
import { mcpAddCommand, mcpRemoveCommand } from "./mcp-change.js";
import { mcpClientsCommand } from "./mcp-clients.js";
import { loginCommand, logoutCommand } from "./mcp-login.js";
import { mcpStatusCommand } from "./mcp-status.js";
import { activation, definedEntries, hostNames, wholeNumber } from "./options.js";

interface McpOptions extends PlanSource, EnrichmentOptions, EnrichFlags {
  http?: number;
  host?: string;
  token?: string | false;
  allowHost?: string[];
  allowOrigin?: string[];
  scope?: string[];
  allow?: string[];
  deny?: string[];
  activation?: GatewayOptions["activation"];
  eager?: boolean;
  idle?: number;
  packs: boolean;
  trust?: string[];
  log?: string;
  logValues?: boolean;
}

/** Makes the command. */
export function mcpCommand(): Command {
  return (
    withEnrich(withEnrichment(new Command("mcp")), "OpenAI")
      // Options after the name of a subcommand belong to the subcommand.
      .enablePositionalOptions()
      .description("serve all your MCP servers as one server with a few tools that search and call the others")
      .addHelpText(
        "after",
        `
Over stdio, for the client that starts it; this is the entry for the configuration of a client:
  { "mcpServers": { "toolsift": { "command": "npx", "args": ["-y", "toolsift-cli", "mcp", "--config", "/path/servers.json"] } } }

Examples:
  $ toolsift mcp add cursor --dry-run          # what would change if Cursor used it
  $ toolsift mcp --config servers.json         # serves the servers of a file
  $ toolsift mcp --from cursor --http 8080     # serves those of Cursor to several clients
  $ toolsift mcp status                        # what it has saved so far

Flags override the settings under "toolsift" in the file.`,
      )
      .option("--config <file>", 'a file with "mcpServers", as Cursor has it, and settings under "toolsift"')
      .option(
        "--from <client>",
        "serve the servers in the configuration of this client (mcp clients lists them); this or --config is needed",
      )
      .option("--http <port>", "serve Streamable HTTP on this port of 127.0.0.1, at /mcp", wholeNumber(0, 65_535))
      .option("--host <address>", "bind another address")
      .addOption(
        new Option("--token <text>", "the token that callers send as Authorization: Bearer (default: a stored token)").env(
          "TOOLSIFT_TOKEN",
        ),
      )
      .option("--no-token", "let every program of this machine call")
      .option("--allow-host <name>", "a further name in the Host header (repeatable)", hostNames)
      .option("--allow-origin <host>", "web pages of this host may call (repeatable)", hostNames)
      .option("--scope <names>", "only these servers and tools, such as github,slack:post_message (repeatable)", collected)
      .option("--allow <pattern>", 'only tools that fit, such as "github:*" or "*:list_*" (repeatable)', collected)
      .option("--deny <pattern>", "no tools that fit (repeatable)", collected)
      .option("--activation <when>", "when tools are deferred: auto, on, off, or a number of tokens", activation)
      .option("--eager", "start every server at once")
      .option("--no-packs", "leave out the words that toolsift has for the tools of well-known servers")
      .option("--idle <seconds>", "stop a server after this many seconds without use; 0 for never", wholeNumber(0, 86_400))
      .option(
        "--trust <rule>",
        "one mode for all tools, SERVER=MODE or SERVER:TOOL=MODE (repeatable). Modes: quarantine (new and changed tools wait " +
          "for approval), pin (changed tools wait), changes (changes are only recorded), off (no check)",
        collected,
      )
      .option("--log <file>", "write what happens as JSON lines")
      .option("--log-values", "with --log: what models search for too")
      .action(async (options: McpOptions) => {
        const { http, host, token, allowHost, allowOrigin, config, from, scope, trust, log, logValues, enrichment } =
          options;
        // A token in the environment is no error without --http: it may be meant for another start.
        const written = host ?? allowHost ?? allowOrigin ?? (process.env["TOOLSIFT_TOKEN"] ? undefined : token);
        if (http === undefined && written !== undefined) {
          throw misuse("--host, --token, --no-token, --allow-host and --allow-origin need --http");
        }
        if (config !== undefined && from !== undefined) {
          throw misuse("--config and --from each say whose servers are served: give one of them");
        }
        if (logValues && log === undefined) throw misuse("--log-values needs --log");
        // Loaded only here: the subcommands do not need the MCP SDK, which loads slowly.
        const { serve } = await import("../gateway/serve.js");
        const admitted = { host, token, allowedHosts: allowHost, allowedOrigins: allowOrigin };
        const settings = settingsOf(options);
        await serve({ settings, ...admitted, http, config, from, scope, trust, log, logValues, enrichment });
      })
      .addCommand(mcpAddCommand())
      .addCommand(mcpRemoveCommand())
      .addCommand(mcpClientsCommand())
      .addCommand(mcpStatusCommand())
      .addCommand(mcpApproveCommand())
      .addCommand(loginCommand())
      .addCommand(logoutCommand())
  );
}

function settingsOf(options: McpOptions): Partial<GatewayOptions> {
  const { allow, deny, activation, eager, idle } = options;
  const idleMs = idle === undefined ? undefined : idle * 1_000;
  // Without --no-packs, the setting in the file applies.
  const packs = options.packs ? undefined : false;
  const enrich = endpointOf(options);
  return definedEntries({ allow, deny, activation, eager, idleMs, packs, enrich });
}
