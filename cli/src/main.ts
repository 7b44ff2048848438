/**
 * The command line: reads the arguments, runs one command, and sets the exit code.
 *
 * - `commands/`: one file for each command; `sources/`: the tools that a command reads
 * - `gateway/`, `proxy/`: the servers of `toolsift mcp` and `toolsift proxy`; `listen/`: the HTTP listener of both
 * - `clients/`: the files in which MCP clients keep their servers; `mcp add` and `mcp remove` change these files
 * - `oauth/`, `trust/`: signing in to servers, approving changed tools
 * - `enrich/`, `output/`, `base/`: models that write search words; printing; files, locks and failures
 */

import { readFileSync } from "node:fs";
import { Command, CommanderError } from "commander";
import { FAILED, Failure, reasonOf, WRONG_USAGE } from "./base/failure.js";
import { readableLines } from "./output/escape.js";
import { colours, complain } from "./output/print.js";

/**
 * Every command, in the order of the help. The module of a command is loaded only when the command runs: loading the MCP SDK
 * takes longer than a search.
 */
const COMMANDS: Record<string, () => Promise<Command>> = {
  demo: async () => (await import("./commands/demo.js")).demoCommand(),
  size: async () => (await import("./commands/size.js")).sizeCommand(),
  search: async () => (await import("./commands/search.js")).searchCommand(),
  explain: async () => (await import("./commands/explain.js")).explainCommand(),
  doctor: async () => (await import("./commands/doctor.js")).doctorCommand(),
  eval: async () => (await import("./commands/eval.js")).evalCommand(),
  enrich: async () => (await import("./commands/enrich.js")).enrichCommand(),
  index: async () => (await import("./commands/index-file.js")).indexCommand(),
  tools: async () => (await import("./commands/tools.js")).toolsCommand(),
  mcp: async () => (await import("./commands/mcp.js")).mcpCommand(),
  proxy: async () => (await import("./commands/proxy.js")).proxyCommand(),
};
/** The flags that print the version. They need no command. */
const VERSION = ["-v", "--version"];

/**
 * Builds the program. If `word` is the name of a command, the program has only this command. If `word` asks for the
 * version, it has no command. Otherwise it has all commands.
 */
export async function programOf(word?: string): Promise<Command> {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const program = new Command("toolsift")
    // `mcp` and its subcommands have options of the same names.
    .enablePositionalOptions()
    .description(
      "Tool search for language-model agents: measures, searches and checks tools of MCP servers, and serves them through a tool search.",
    )
    .version(version, "-v, --version", "print the version")
    .helpOption("-h, --help", "print the help of a command")
    .addHelpText(
      "after",
      `
Examples:
  $ toolsift demo
  $ toolsift size ~/.cursor/mcp.json
  $ toolsift search "open a ticket" tools.json
  $ toolsift doctor --server 'node my-server.js' --fail-on warning
  $ toolsift mcp add cursor --dry-run
  $ toolsift proxy --upstream https://api.openai.com

Exit codes: 0 success, 1 failure or finding, 2 wrong command line.`,
    );
  const one = word !== undefined && Object.hasOwn(COMMANDS, word);
  const names = one ? [word] : VERSION.includes(word ?? "") ? [] : Object.keys(COMMANDS);
  for (const name of names) program.addCommand(await COMMANDS[name]!());
  configure(program);
  return program;
}

/** Applies the settings that commander does not pass on from a command to its subcommands. */
function configure(command: Command): void {
  const help = command.parent === null ? "--help lists the commands" : `${pathOf(command)} --help has examples`;
  command
    .exitOverride()
    .showHelpAfterError(`(toolsift ${help})`)
    .configureOutput({
      writeErr: (text) => process.stderr.write(readableLines(text)),
      getOutHasColors: () => colours.isColorSupported,
      getErrHasColors: () => false,
    })
    .configureHelp({ styleTitle: (title) => colours.bold(title) });
  if (command.commands.length > 0 && command.registeredArguments.length === 0) refuseUnknown(command);
  for (const below of command.commands) configure(below);
}

/**
 * Makes a command with subcommands refuse an unknown word after its name as an unknown subcommand. Commander does this only
 * for commands without an action.
 */
function refuseUnknown(command: Command): void {
  const own = command as Command & Untyped;
  const unknownOption = own.unknownOption.bind(own);
  command
    .helpCommand(true)
    .allowExcessArguments(true)
    .hook("preAction", (_, run) => {
      if (run === command && run.args.length > 0) own.unknownCommand();
    });
  // If the subcommand is misspelt, the error is about the subcommand and not about the options after it.
  own.unknownOption = (flag) => (own.args[0]?.startsWith("-") === false ? own.unknownCommand() : unknownOption(flag));
}

/** Methods of commander's `Command` that its types leave out. */
interface Untyped {
  unknownCommand(): never;
  unknownOption(flag: string): never;
}

function pathOf(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${pathOf(parent)} ${command.name()}` : command.name();
}

/**
 * Runs the command line. Never throws: the exit code is in `process.exitCode`.
 *
 * @param args the arguments after the program's name
 */
export async function main(args: readonly string[]): Promise<void> {
  endQuietly(process.stdout);
  endQuietly(process.stderr);
  try {
    const program = await programOf(args[0]);
    if (args.length === 0) return program.outputHelp();
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has printed the error already. Its code is 0 for help and version, and 1 for every mistake.
      process.exitCode = error.exitCode === 0 ? 0 : WRONG_USAGE;
      return;
    }
    complain(reasonOf(error));
    process.exitCode = error instanceof Failure ? error.exitCode : FAILED;
  }
}

/** Ends the process without an error when the reader of the output closes it, as `| head` does. */
function endQuietly(stream: NodeJS.WriteStream): void {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit();
  });
}
