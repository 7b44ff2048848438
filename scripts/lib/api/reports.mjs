/**
 * Writes the public surface of the package as text: one report for each entry. A declaration stands in one report only: in
 * that of the root if the root leads to it, in that of its entry if one entry does, and otherwise among what entries share.
 */

import { readFileSync } from "node:fs";
import { at } from "../paths.mjs";
import { deprecatedIn, exportsOf, kindOf, textOf, usedBy } from "./declarations.mjs";

const ROOT = "toolsift";
const SHARED = "shared";

/** The entries of the package by name, each with its declaration file. */
function entries() {
  const { exports } = JSON.parse(readFileSync(at("pkg", "package.json"), "utf8"));
  const named = Object.entries(exports).map(([path, target]) => [
    `${ROOT}${path.slice(1)}`,
    target.import?.types ?? target.types,
  ]);
  return named.filter(([, types]) => types !== undefined).map(([name, types]) => [name, at("pkg", types)]);
}

const keyOf = ({ file, name }) => `${file}#${name}`;

/** All declarations that some lead to, themselves included, by key. */
function reached(origins) {
  const found = new Map();
  const queue = [...origins];
  for (const origin of queue) {
    if (found.has(keyOf(origin)) || kindOf(origin) === "package") continue;
    found.set(keyOf(origin), origin);
    queue.push(...usedBy(origin));
  }
  return found;
}

/** The reports: file names with their texts. */
export function reports() {
  const surfaces = entries().map(([name, file]) => {
    const exported = exportsOf(file);
    return { name, exported, all: reached(exported.values()) };
  });
  const owners = new Map();
  for (const { name, all } of surfaces) {
    for (const key of all.keys()) {
      const owner = owners.get(key);
      if (owner !== ROOT) owners.set(key, owner === undefined ? name : SHARED);
    }
  }
  const written = surfaces.map(({ name, exported, all }) => {
    const own = [...all].filter(([key]) => owners.get(key) === name).map(([, origin]) => origin);
    return [fileOf(name), report(name, exportLines(exported, owners, name), own)];
  });
  const everything = new Map(surfaces.flatMap(({ all }) => [...all]));
  const shared = [...everything].filter(([key]) => owners.get(key) === SHARED).map(([, origin]) => origin);
  return new Map([...written, [fileOf(SHARED), report("what several entries have", [], shared)]]);
}

const fileOf = (name) => `${name === ROOT ? "toolsift" : name.replace(`${ROOT}/`, "")}.api.md`;

/** A line for each export: its kind and name, and the report that has it where it is another. */
function exportLines(exported, owners, entry) {
  const sorted = [...exported].sort(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map(([name, origin]) => {
    const as = origin.name === name || origin.name === "*" ? "" : `, declared as \`${origin.name}\``;
    const owner = owners.get(keyOf(origin));
    const where = owner === entry || owner === undefined ? "" : ` (${fileOf(owner)})`;
    return `- ${kindOf(origin)} \`${name}\`${as}${where}`;
  });
}

function report(title, exported, own) {
  const sorted = own.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.file < b.file ? -1 : 1));
  const deprecated = sorted.flatMap((origin) => deprecatedIn(origin).map((name) => `- \`${origin.name}\`: \`${name}\``));
  const parts = [
    `# ${title}`,
    "Written by `npm run api -- --update`. A change of this file is a change of what the package promises.",
    exported.length > 0 && `## Exports\n\n${exported.join("\n")}`,
    deprecated.length > 0 && `## Deprecated\n\n${deprecated.join("\n")}`,
    sorted.length > 0 && `## Declarations\n\n\`\`\`ts\n${sorted.map(textOf).join("\n\n")}\n\`\`\``,
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}
