/** `toolsift mcp login` and `toolsift mcp logout`: sign in to a remote MCP server, and delete the saved sign-in. */

import { createInterface } from "node:readline/promises";
import { Command } from "commander";
import { Failure } from "../base/failure.js";
import type { PlanSource } from "../gateway/plan.js";
import { serverWay } from "../clients/server-config.js";
import { hasDisplay, openBrowser } from "../oauth/browser.js";
import { SIGN_IN_MS } from "../oauth/settings.js";
import type { Ask, SignInHooks } from "../oauth/ask.js";
import type { SignIn } from "../oauth/sign-in.js";
import { print } from "../output/print.js";
import { shown } from "../output/escape.js";

interface LoginOptions extends PlanSource {
  url?: string;
  browser?: boolean;
}

/** Makes the command `login <server>`. */
export function loginCommand(): Command {
  return withSource(new Command("login"), "sign in to a remote MCP server")
    .option("--no-browser", "print the page's address instead of opening a browser")
    .addHelpText(
      "after",
      `
Examples:
  $ toolsift mcp login linear --config servers.json
  $ toolsift mcp login linear --from cursor --no-browser
  $ toolsift mcp login linear --url https://mcp.example.com/mcp`,
    )
    .action(async (name: string, options: LoginOptions) => {
      const ended = new AbortController();
      const onAuthorize = (ask: Ask) => signInBy(ask, options.browser !== false, ended.signal);
      const signIn = await signInNamed(name, options, { onAuthorize });
      const stop = () => signIn.cancel("you stopped it");
      process.once("SIGINT", stop);
      try {
        await signIn.login();
      } finally {
        process.off("SIGINT", stop);
        ended.abort();
      }
      print(`Signed in to ${shown(name, 80)}.`);
    });
}

/** Makes the command `logout <server>`. */
export function logoutCommand(): Command {
  return withSource(new Command("logout"), "delete the stored tokens of a remote MCP server")
    .addHelpText(
      "after",
      `
Examples:
  $ toolsift mcp logout linear --config servers.json
  $ toolsift mcp logout linear --url https://mcp.example.com/mcp`,
    )
    .action(async (name: string, options: LoginOptions) => {
      const wasThere = await (await signInNamed(name, options, {})).logout();
      print(`${wasThere ? "Signed out of" : "You were not signed in to"} ${shown(name, 80)}.`);
    });
}

function withSource(command: Command, description: string): Command {
  return command
    .description(description)
    .argument("<server>", "the server's name in the configuration")
    .option("--config <file>", "the file with mcpServers")
    .option("--from <client>", "the client whose configuration names the server")
    .option("--url <url>", "the server's address, instead of a configuration");
}

async function signInNamed(name: string, options: LoginOptions, hooks: SignInHooks): Promise<SignIn> {
  const entry = options.url === undefined ? await entryOf(name, options) : { url: options.url };
  const way = serverWay(name, entry);
  if (way.kind === "stdio") {
    const server = JSON.stringify(shown(name, 80));
    throw new Error(`server ${server} is a command on this machine; only remote servers have a sign-in`);
  }
  const { signInOf } = await import("../gateway/transports.js");
  return signInOf(name, way, hooks);
}

/** Returns the entry of a server in the configuration. @throws Failure if there is no such server */
async function entryOf(name: string, source: PlanSource): Promise<unknown> {
  const { planOf } = await import("../gateway/plan.js");
  const { servers } = await planOf(source);
  const entry = servers.get(name);
  if (entry !== undefined) return entry;
  const names = [...servers.keys()].map((one) => JSON.stringify(one)).join(", ");
  throw new Failure(`there is no server ${JSON.stringify(name)}${names && `; there are ${names}`}`);
}

/** Shows the sign-in page. If no browser opens here, asks for the final address of a browser on another machine. */
async function signInBy({ url, paste }: Ask, mayOpen: boolean, ended: AbortSignal): Promise<number> {
  const isOpen = mayOpen && hasDisplay() && (await openBrowser(url));
  const what = isOpen ? "Your browser opens this page. Sign in there:" : "Open this page and sign in:";
  process.stderr.write(`${what}\n\n  ${url.href}\n\n`);
  if (!isOpen && process.stdin.isTTY) void pasted(paste, ended);
  return SIGN_IN_MS;
}

async function pasted(paste: Ask["paste"], signal: AbortSignal): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  signal.addEventListener("abort", () => terminal.close());
  const question = "If that browser runs on another machine, paste the address that it shows at the end:\n> ";
  try {
    for (;;) {
      const { isDone, text } = await paste(await terminal.question(question, { signal }));
      if (isDone) return;
      process.stderr.write(`${shown(text)}\n`);
    }
  } catch {
    // The sign-in ended before anything was pasted.
  }
}
