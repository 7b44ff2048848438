/** Writes the facts about packs into the documents: their number, their servers, and their size. */

import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { at } from "../../scripts/lib/paths.mjs";
import { Problem } from "../../scripts/lib/run.mjs";

const number = (value) => value.toLocaleString("en-US");
const kilobytes = (bytes) => String(Math.round(bytes / 1024));

/**
 * Returns each page with its present text and its new text.
 *
 * @param modules of `packModules`
 * @param servers of `readServers`
 */
export function packPages(modules, servers) {
  const tools = modules.reduce((sum, one) => sum + one.tools, 0);
  const sizes = modules.map(({ text }) => ({ bytes: Buffer.byteLength(text), gzip: gzipSync(text, { level: 9 }).length }));
  const sum = (key) => sizes.reduce((total, size) => total + size[key], 0);
  const all = kilobytes(sum("gzip"));
  const places = {
    "README.md": [[/(has packs for )\d+( servers)/, `$1${modules.length}$2`]],
    "docs/packs.md": [
      [/(has packs for )\d+ servers with [\d,]+( tools)/, `$1${modules.length} servers with ${number(tools)}$2`],
      [/(\| the words of all packs \|).*/, `$1 ${number(sum("bytes"))} | ${all} KB |`],
      [/(grows by )\d+( KB \(gzip\))/, `$1${all}$2`],
    ],
    "lab/REPORT.md": [[/(\| pack \| server \|.*\n\|[-:|]+\|\n)(?:\|.*\n)*/, `$1${tableOf(modules, servers.packs)}`]],
  };
  return Object.entries(places).map(([file, changes]) => {
    const before = readFileSync(at(file), "utf8");
    const text = changes.reduce((text, [pattern, replacement]) => {
      if (pattern.test(text)) return text.replace(pattern, replacement);
      throw new Problem(`${file} has no place for ${pattern}`);
    }, before);
    return { file, before, text };
  });
}

/** Writes the pages, and returns the names of the changed ones. */
export function writePages(modules, servers) {
  const changed = packPages(modules, servers).filter(({ before, text }) => before !== text);
  for (const { file, text } of changed) writeFileSync(at(file), text);
  return changed.map(({ file }) => file);
}

const shown = ({ package: name, version, note }) =>
  `\`${name}\`${version === undefined ? "" : ` ${version}`}${note === undefined ? "" : ` (${note})`}`;

function tableOf(modules, rows) {
  const byPack = new Map(rows.map((row) => [row.pack, row]));
  return modules
    .map(({ name, tools, text }) => {
      const row = byPack.get(name);
      if (row === undefined) throw new Problem(`pkg/packs/servers.json does not say which server the pack ${name} is of`);
      return `| \`${name}\` | ${shown(row)} | ${tools} | en | ${row.written} | ${number(Buffer.byteLength(text))} |\n`;
    })
    .join("");
}
