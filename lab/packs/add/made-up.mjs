/** Makes up missing settings of a server, such as API keys that open nothing, so that it starts and lists its tools. */

/** Matches a line that reports a missing setting. */
const ASKS = /requir|missing|must|need|provid|expect|invalid|specif|undefined|\bset\b|not found|\bno\b/i;
const VARIABLE = /\b(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[A-Z]*(?:KEY|TOKEN|SECRET|PASSWORD|URL))\b/g;
/** Names of errors that look like environment variables. */
const NO_VARIABLE = /^(?:ERR|ERROR|SIG|NODE|NPM)_|_ERROR$/;
const FLAG = /(?<![\w-])--[a-z][a-z0-9-]+/g;
const NO_FLAG = ["--help", "--version"];

/** The values by parts of a variable's name. The first match counts. */
const VALUES = [
  [/POSTGRES|PG|DATABASE_UR|DB_UR|CONNECTION/, () => "postgresql://nobody:none@localhost:1/none"],
  [/MONGO/, () => "mongodb://localhost:1/none"],
  [/REDIS/, () => "redis://localhost:1"],
  [/URL|URI|ENDPOINT/, () => "https://example.invalid"],
  [/HOST|DOMAIN|SITE/, () => "example.invalid"],
  [/PORT$/, () => "1"],
  [/MAIL|USER/, () => "nobody@example.invalid"],
  [/DIR|PATH|FOLDER|FILE|ROOT/, (folder) => folder],
  [/REGION/, () => "us-east-1"],
  [/ID$/, () => "00000000-0000-4000-8000-000000000000"],
];
const valueOf = (name, folder) => VALUES.find(([pattern]) => pattern.test(name))?.[1](folder) ?? "none".repeat(8);

/**
 * What a complaint asks for beyond what a server has been given: `{ env, args }` with all of it, or null if that is nothing
 * new.
 *
 * @param folder one that exists, for what asks for a path
 */
export function madeUp(complaint, given, folder) {
  const lines = complaint.split("\n").filter((line) => ASKS.test(line));
  const named = (pattern) => new Set(lines.flatMap((line) => line.match(pattern) ?? []));
  const variables = [...named(VARIABLE)].filter((name) => !NO_VARIABLE.test(name) && given.env[name] === undefined);
  const flags = [...named(FLAG)].filter((flag) => !NO_FLAG.includes(flag) && !given.args.includes(flag));
  if (variables.length + flags.length === 0) return null;
  return {
    env: { ...given.env, ...Object.fromEntries(variables.map((name) => [name, valueOf(name, folder)])) },
    args: [...given.args, ...flags.flatMap((flag) => [flag, valueOf(flag.toUpperCase().replaceAll("-", "_"), folder)])],
  };
}
