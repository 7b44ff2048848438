/** Writes the project's addresses into package.json and Cargo.toml, and into the links of packed pages. */

import { readFileSync, writeFileSync } from "node:fs";
import { at } from "../paths.mjs";
import { addressesOf, PROJECT } from "./project.mjs";

/** The folders of the npm packages that are published. */
export const PACKAGES = ["pkg", "cli"];

/** A package.json as text, with the addresses behind the licence, or without any. */
function inPackage(text, folder, addresses) {
  const { repository: _, homepage: __, bugs: ___, ...fields } = JSON.parse(text);
  const entries = Object.entries(fields);
  const behind = entries.findIndex(([key]) => key === "license") + 1;
  const added = addresses
    ? [
        ["homepage", addresses.homepage],
        ["bugs", addresses.bugs],
        ["repository", { type: "git", url: `git+${addresses.repository}.git`, directory: folder }],
      ]
    : [];
  return `${JSON.stringify(Object.fromEntries(entries.toSpliced(behind, 0, ...added)), null, 2)}\n`;
}

/** A Cargo.toml as text, with the addresses behind the licence, or without any. */
function inCrate(text, addresses) {
  const bare = text.replaceAll(/^(repository|homepage) = ".*"\n/gm, "");
  if (!addresses) return bare;
  const lines = `repository = "${addresses.repository}"\nhomepage = "${addresses.homepage}"\n`;
  return bare.replace(/^license = ".*"\n/m, (license) => license + lines);
}

/** The files that have addresses, each as it is and as it has to be. */
export function metadata() {
  const addresses = addressesOf(PROJECT);
  const packages = PACKAGES.map((folder) => {
    const path = `${folder}/package.json`;
    const text = readFileSync(at(path), "utf8");
    return { path, text, wanted: inPackage(text, folder, addresses) };
  });
  const text = readFileSync(at("Cargo.toml"), "utf8");
  return [...packages, { path: "Cargo.toml", text, wanted: inCrate(text, addresses) }];
}

/** Writes the addresses, and returns the paths of the files that changed. */
export function writeMetadata() {
  const changed = metadata().filter(({ text, wanted }) => text !== wanted);
  for (const { path, wanted } of changed) writeFileSync(at(path), wanted);
  return changed.map(({ path }) => path);
}

/**
 * The README as the page of a package shows it: npm takes a relative link as one into the folder of the package, where the
 * documents are not. With a repository, links to files lead to that version's files there; without one they stay.
 */
export function forPackagePage(text, version) {
  const addresses = addressesOf(PROJECT);
  if (!addresses) return text;
  const absolute = (whole, label, path) =>
    /^(https?:|#)/.test(path) ? whole : `[${label}](${addresses.repository}/blob/v${version}/${path})`;
  const parts = text.split(/(^```[^]*?^```$)/m);
  return parts
    .map((part) => (part.startsWith("```") ? part : part.replaceAll(/\[([^\]]*)\]\(([^)\s]+)\)/g, absolute)))
    .join("");
}
