/** `mcp secret set` and `mcp secret remove`: secrets of servers in the keyring of the system. */

import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { Command } from "commander";
import { misuse } from "../failure.js";
import { removeSecret, writeSecret } from "../keyring.js";
import { tell } from "../output/print.js";

/** More of standard input is no secret. */
const MOST_CHARS = 100_000;

/** The command. */
export function mcpSecretCommand(): Command {
  return new Command("secret")
    .description("keep secrets of MCP servers in the keyring of the system")
    .addHelpText(
      "after",
      `
An entry names a secret in "env" or "headers": { "env": { "GITHUB_TOKEN": "\${keyring:github}" } }. It is read when the
server is started. The keyring is that of macOS, of Windows, or on Linux what secret-tool reaches.

Examples:
  $ toolsift mcp secret set github                        # asks for it, and shows nothing
  $ op read op://work/github/token | toolsift mcp secret set github
  $ toolsift mcp secret remove github`,
    )
    .addCommand(
      new Command("set")
        .description("keep a secret, which is typed or comes on standard input")
        .argument("<name>", "the name that configurations use")
        .action(async (name: string) => {
          await writeSecret(name, await (process.stdin.isTTY ? typed(name) : piped()));
          tell(`The keyring has ${name}: write \${keyring:${name}} in "env" or "headers" of a server.`);
        }),
    )
    .addCommand(
      new Command("remove")
        .description("remove a secret")
        .argument("<name>", "its name")
        .action(async (name: string) => {
          await removeSecret(name);
          tell(`The keyring has no ${name} any more.`);
        }),
    );
}

/** Reads typed text, which the terminal does not show. */
function typed(name: string): Promise<string> {
  process.stderr.write(`The secret ${name} (not shown): `);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  return new Promise((resolve, reject) => {
    const stopped = () => reject(misuse("nothing was typed"));
    terminal.once("close", stopped);
    terminal.once("line", (line) => {
      resolve(line);
      terminal.close();
    });
  }).finally(() => process.stderr.write("\n")) as Promise<string>;
}

/** Reads standard input, without the end of its line. */
async function piped(): Promise<string> {
  let text = "";
  for await (const chunk of process.stdin.setEncoding("utf8")) {
    text += String(chunk);
    if (text.length > MOST_CHARS) break;
  }
  return text.replace(/\r?\n$/, "");
}
