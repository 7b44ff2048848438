/**
 * Writes the licences of foreign code in the npm package: Rust crates in the wasm, code that wasm-bindgen generates, and
 * bundled packages.
 */

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { BUNDLED } from "./bundled.mjs";
import { at } from "./paths.mjs";
import { Problem, run } from "./run.mjs";

/** Where the list is committed; `npm pack` takes it along. */
export const THIRD_PARTY = "THIRD-PARTY-LICENSES.md";

/** The licences that may be in the package, each with the files that may hold its text, the best first. */
const TEXTS = {
  MIT: ["LICENSE-MIT.txt", "LICENSE-MIT", "license-mit", "LICENSE-MIT.md", "LICENSE.md", "LICENSE"],
  Zlib: ["LICENSE-ZLIB", "LICENSE"],
  "Unicode-3.0": ["LICENSE-UNICODE"],
};

const HEAD = `# Third-party licences

What others wrote and the npm package \`toolsift\` holds: these crates and Rust's standard library are compiled into
\`dist/toolsift.wasm\` and its copy as text, \`dist/cjs/wasm.js\`, or may be. Code that wasm-bindgen generates is in the bundles.
The other packages of npm whose code is bundled: ${BUNDLED.join(", ")}. Written by \`npm run licenses\`.`;

/** The standard library belongs to no crate of the tree; its version is that of the compiler. */
const STANDARD_LIBRARY = {
  title: "Rust's standard library",
  license: "MIT OR Apache-2.0",
  holder: "Copyright (c) The Rust Project Contributors",
};

/** The crates that the wasm is made of, without those that only run when it is built: `[{ name, version, license, folder }]`. */
async function crates() {
  const wasm = ["-p", "toolsift-wasm", "--target", "wasm32-unknown-unknown", "--edges", "normal,no-proc-macro"];
  const { stdout } = await run("cargo", ["tree", "--locked", ...wasm, "--prefix", "none", "--format", "{p}"]);
  const names = new Set(stdout.match(/^\S+ \S+/gm));
  const metadata = JSON.parse((await run("cargo", ["metadata", "--locked", "--format-version", "1"])).stdout);
  return metadata.packages
    .filter(({ name, version, source }) => source !== null && names.has(`${name} v${version}`))
    .map(({ name, version, license, manifest_path }) => ({ name, version, license, folder: dirname(manifest_path) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The packages of npm of which something is bundled. */
function packages() {
  return BUNDLED.map((name) => {
    const folder = at("node_modules", ...name.split("/"));
    const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return { name, version, license, folder };
  });
}

/** The licences that are taken of an expression: of a choice the first that is known, of several all. */
function taken(license) {
  const groups = license.split(" AND ").map((part) => part.replaceAll(/[()]/g, "").split(/ OR |\//));
  return groups.map((choices) => {
    const known = choices.find((one) => one === "MIT") ?? choices.find((one) => TEXTS[one] !== undefined);
    if (known === undefined)
      throw new Problem(`${license}: none of the licences that may be packed, ${Object.keys(TEXTS).join(", ")}`);
    return known;
  });
}

function textIn(folder, license, name) {
  const file = TEXTS[license].map((one) => join(folder, one)).find(existsSync);
  if (file === undefined)
    throw new Problem(`${name} has no text of the licence ${license}; it has to have one to be packed`);
  return readFileSync(file, "utf8").replaceAll("\r\n", "\n").trim();
}

/** The list as it has to be committed. */
export async function thirdParty() {
  const texts = new Map();
  const add = (title, text) => texts.set(text, [...(texts.get(text) ?? []), title]);
  for (const { name, version, license, folder } of [...(await crates()), ...packages()]) {
    for (const one of taken(license)) add(`${name} ${version} (${license})`, textIn(folder, one, name));
  }
  const own = readFileSync(at("LICENSE-MIT"), "utf8").trim();
  const { title, license, holder } = STANDARD_LIBRARY;
  add(`${title} (${license})`, own.replace(/^Copyright.*$/m, holder));
  const parts = [...texts].map(([text, titles]) => `## ${titles.join(", ")}\n\n\`\`\`text\n${text}\n\`\`\``);
  return `${[HEAD, ...parts].join("\n\n")}\n`;
}
