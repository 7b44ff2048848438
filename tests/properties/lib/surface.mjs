/** What the package offers, read from the reports of api/: what can be called, and every option. */

import { readFileSync, readdirSync } from "node:fs";
import { at } from "../../../scripts/lib/paths.mjs";

/** Options, by the names of the interfaces that hold them. */
const OPTIONS = /(Options|Choices|Settings|Limits|Budget|Scope|Selection|Server|Tools)$/;

/** Interfaces of these names are what is returned, or what the host has. */
const NO_OPTIONS = /^(WireTools|KnownSettings)$/;

const reports = new Map(
  readdirSync(at("api"))
    .filter((name) => name.endsWith(".api.md"))
    .map((name) => [name.replace(".api.md", ""), readFileSync(at("api", name), "utf8")]),
);

/** The declarations of a report, by their first line and their whole text. */
function declarationsOf(text) {
  const [, source = ""] = /```ts\n([^]*?)\n```/.exec(text) ?? [];
  return source.split(/\n\n(?=\S)/);
}

/** The members of an interface or a class: their names, and whether they are called with something. */
function membersOf(declaration) {
  const lines = declaration.split("\n").slice(1);
  return lines.flatMap((line) => {
    const [, name, rest] = /^ {4}(?:static |get |readonly )*(\w+)\??(.*)$/.exec(line) ?? [];
    if (name === undefined) return [];
    // What ends so begins a list of objects: `tools: (ToolInfo & {`.
    return [{ name, isMethod: /^(<.*>)?\([^)]|^: \([^)]/.test(rest) && !/(: \(|& )\{$/.test(rest) }];
  });
}

/**
 * Everything that is called with something: functions as `entry.name`, methods as `Class#name`, and classes that can be made. The
 * methods of interfaces are those of what the package returns, and of what a host brings.
 */
export function callables() {
  const found = new Set();
  for (const [entry, text] of reports) {
    const [, exported = ""] = /## Exports\n\n([^]*?)\n\n/.exec(text) ?? [];
    for (const [, name] of exported.matchAll(/^- function `(\w+)`(?!.*\()/gm)) {
      if (!text.includes(`function ${name}()`)) found.add(`${entry}.${name}`);
    }
    for (const declaration of declarationsOf(text)) {
      const [, kind, name] = /^export (?:declare )?(class|interface) (\w+)/.exec(declaration) ?? [];
      if (kind === undefined || (kind === "interface" && isOptions(name))) continue;
      for (const member of membersOf(declaration)) if (member.isMethod) found.add(`${name}#${member.name}`);
    }
  }
  return [...found].sort();
}

const isOptions = (name) => OPTIONS.test(name) && !NO_OPTIONS.test(name);

/** Every interface of options with the names of its own options, and the report that declares it. */
export function optionInterfaces() {
  const found = new Map();
  for (const [report, text] of reports) {
    for (const declaration of declarationsOf(text)) {
      const [, name] = /^export interface (\w+)/.exec(declaration) ?? [];
      if (name === undefined || !isOptions(name)) continue;
      const keys = membersOf(declaration).map((member) => member.name);
      if (keys.length > 0) found.set(`${report}.${name}`, keys);
    }
  }
  return found;
}

/** The codes that are published, by the table of docs/reference.md. */
export function publishedCodes() {
  const reference = readFileSync(at("docs", "reference.md"), "utf8");
  const section = reference.slice(reference.indexOf("## Error codes"));
  const rows = [...section.matchAll(/^\| ((?:`\w+`,? ?)+)\|/gm)];
  return new Set(rows.flatMap(([, cell]) => [...cell.matchAll(/`(\w+)`/g)].map(([, code]) => code)));
}
