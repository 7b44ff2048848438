/** Writes the completion scripts of shells from the tree of commands, so that they know each command and option. */

import type { Command, Option } from "commander";

/** The shells for which a script can be written. */
export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

/** The words that can follow some words of the command line. */
interface Place {
  /** The commands on the way, such as `mcp add`. */
  path: string;
  commands: { name: string; description: string }[];
  options: { flags: string[]; description: string; takesValue: boolean; choices: readonly string[] }[];
}

/** The script of one shell. */
export function completionScript(shell: Shell, program: Command): string {
  const places = placesOf(program, "");
  return { bash, zsh, fish }[shell](program.name(), places);
}

function placesOf(command: Command, path: string): Place[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const options = help.visibleOptions(command).map((option: Option) => ({
    flags: [option.short, option.long].filter((flag) => flag !== undefined && flag !== null) as string[],
    description: shellSafe(option.description),
    takesValue: option.required || option.optional,
    choices: option.argChoices ?? [],
  }));
  const described = commands.map((one) => ({ name: one.name(), description: shellSafe(one.description()) }));
  const here = { path, options, commands: described };
  const below = commands.filter((one) => one.name() !== "help");
  return [here, ...below.flatMap((one) => placesOf(one, `${path} ${one.name()}`.trim()))];
}

/** Our own descriptions, without what a shell would read as its own. */
function shellSafe(text: string): string {
  return text.replace(/[^\w .,:;()/@-]/g, "").replaceAll(":", " ");
}

/** In bash and zsh, the path of commands is found by following the words that are no options. */
function bash(name: string, places: readonly Place[]): string {
  const words = places.map(({ path, commands, options }) => {
    const all = [...commands.map((one) => one.name), ...options.flatMap(({ flags }) => flags)];
    return `    ${quoted(path)}) words=${quoted(all.join(" "))} ;;`;
  });
  const values = valuesOf(places).map(([flags, choices]) => {
    return `    ${flags.join("|")}) COMPREPLY=( $(compgen -W ${quoted(choices.join(" "))} -- "$word") ); return ;;`;
  });
  return `# bash completion for ${name}: source <(${name} completion bash)
_${name}() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" path="" words="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$path\${path:+ }\${COMP_WORDS[i]}" in
      ${patterns(places)}) path="$path\${path:+ }\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$before" in
${values.join("\n")}
  esac
  case "$path" in
${words.join("\n")}
  esac
  COMPREPLY=( $(compgen -W "$words" -- "$word") )
}
complete -o default -o bashdefault -F _${name} ${name}
`;
}

function zsh(name: string, places: readonly Place[]): string {
  const entries = places.map(({ path, commands, options }) => {
    const all = [
      ...commands.map((one) => quoted(`${one.name}:${one.description}`)),
      ...options.flatMap(({ flags, description }) => flags.map((flag) => quoted(`${flag}:${description}`))),
    ];
    return `    ${quoted(path)}) words_here=(${all.join(" ")}) ;;`;
  });
  const values = valuesOf(places).map(([flags, choices]) => {
    return `    ${flags.join("|")}) compadd -- ${choices.map(quoted).join(" ")}; return ;;`;
  });
  return `#compdef ${name}
# zsh completion for ${name}: source <(${name} completion zsh)
_${name}() {
  local at="" i
  local -a words_here
  for ((i = 2; i < CURRENT; i++)); do
    case "$at\${at:+ }\${words[i]}" in
      ${patterns(places)}) at="$at\${at:+ }\${words[i]}" ;;
    esac
  done
  case "\${words[CURRENT-1]}" in
${values.join("\n")}
  esac
  case "$at" in
${entries.join("\n")}
  esac
  _describe '${name}' words_here
  _files
}
compdef _${name} ${name}
`;
}

function fish(name: string, places: readonly Place[]): string {
  const lines = places.flatMap(({ path, commands, options }) => {
    const [first = "", ...rest] = path.split(" ");
    const seen = path === "" ? "__fish_use_subcommand" : ["__fish_seen_subcommand_from", first].join(" ");
    const when = [seen, ...rest.map((word) => `__fish_seen_subcommand_from ${word}`)].join("; and ");
    const start = `complete -c ${name} -n ${quoted(when)}`;
    return [
      ...commands.map((one) => `${start} -a ${one.name} -d ${quoted(one.description)}`),
      ...options.map(({ flags, description, takesValue, choices }) => {
        const names = flags.map((flag) => (flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
        const value = choices.length > 0 ? ` -x -a ${quoted(choices.join(" "))}` : takesValue ? " -r" : "";
        return `${start} ${names.join(" ")}${value} -d ${quoted(description)}`;
      }),
    ];
  });
  return `# fish completion for ${name}: ${name} completion fish | source\n${lines.join("\n")}\n`;
}

/** Every path of commands but the empty one, as patterns of `case`. */
function patterns(places: readonly Place[]): string {
  return places.flatMap(({ path }) => (path === "" ? [] : [quoted(path)])).join("|");
}

/** Options with choices, by their flags; the same option of several commands once. */
function valuesOf(places: readonly Place[]): [string[], readonly string[]][] {
  const known = new Map<string, [string[], readonly string[]]>();
  for (const { flags, choices } of places.flatMap(({ options }) => options)) {
    if (choices.length > 0) known.set(`${flags.join()} ${choices.join()}`, [flags, choices]);
  }
  return [...known.values()];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "")}'`;
}
