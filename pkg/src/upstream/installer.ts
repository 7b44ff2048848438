/** Recognises programs that install a server before they run it: these may take minutes, and must not be killed early. */

import clients from "../servers/clients.json" with { type: "json" };
import type { ServerWay } from "../servers/way.js";

/** The time limits for the start of a server, and of a server that may have to be installed, in ms. */
const START_MS = 60_000;
const INSTALL_MS = 180_000;

const INSTALLERS_WITH: Readonly<Record<string, readonly string[]>> = clients.installersWith;
const FLAG = /^(?:-.*|\/[a-z]|\w+=.*)$/i;

/** A program and its arguments. */
export type Command = { command: string; args: readonly string[] };

/** Returns the name of the program that installs a server, such as `npx`; undefined if there is none. */
export function installerOf({ command, args }: Command): string | undefined {
  // A shell has the whole line in one argument.
  const words = [command, ...args.flatMap((arg) => arg.trim().split(/\s+/))];
  const at = words.findIndex(
    (word, index) => !clients.starters.includes(programOf(word)) && (index === 0 || !FLAG.test(word)),
  );
  if (at < 0) return undefined;
  const program = programOf(words[at]!);
  if (clients.installers.includes(program)) return program;
  const next = words.slice(at + 1).find((word) => !FLAG.test(word));
  return next !== undefined && INSTALLERS_WITH[program]?.includes(next) ? `${program} ${next}` : undefined;
}

/** Returns the name of a program without its folder and its file extension on Windows. */
const programOf = (word: string): string =>
  (word.split(/[\\/]/).at(-1) ?? "").replace(/\.(?:cmd|exe|bat|ps1)$/i, "").toLowerCase();

/** Returns the program that installs a server, from the settings of the connection. */
export const installing = (way: { kind: string } & Partial<Command>): string | undefined =>
  way.kind === "stdio" ? installerOf(way as Command) : undefined;

/** Returns the time limit for a server's start, in ms: your program's option, or the default for its command. */
export function startLimit(way: { kind: string }, given: number | undefined): number {
  return given ?? (installing(way as ServerWay) === undefined ? START_MS : INSTALL_MS);
}

/** Returns a text for people about a server that starts slowly. */
export const mayDownload = (installer: string): string => `${installer} may be downloading it`;
