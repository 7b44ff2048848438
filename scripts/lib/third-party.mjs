/**
 * Writes the licences of foreign code in the npm package: Rust crates in the wasm, code that wasm-bindgen generates, and
 * bundled packages.
 */

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { BUNDLED } from "./bundled.mjs";
import { at } from "./paths.mjs";
import { Problem, run } from "./run.mjs";

/** The path of the committed list. `npm pack` includes it. */
export const THIRD_PARTY = "THIRD-PARTY-LICENSES.md";

/** The allowed licences, each with the names of files that can hold its text, the preferred name first. */
const TEXTS = {
  MIT: ["LICENSE-MIT.txt", "LICENSE-MIT", "license-mit", "LICENSE-MIT.md", "LICENSE.md", "LICENSE"],
  Zlib: ["LICENSE-ZLIB", "LICENSE"],
  "Unicode-3.0": ["LICENSE-UNICODE"],
};

const HEAD = `# Third-party licences

What others wrote and the npm package \`toolsift\` holds: these crates and Rust's standard library are compiled into
\`dist/toolsift.wasm\` and its copy as text, \`dist/cjs/wasm.js\`, or may be. Code that wasm-bindgen generates is in the bundles.
The other packages of npm whose code is bundled: ${BUNDLED.join(", ")}. Written by \`npm run licenses\`.`;

/** The Rust standard library. It is not in the tree of crates; its version is that of the compiler. */
const STANDARD_LIBRARY = {
  title: "Rust's standard library",
  license: "MIT OR Apache-2.0",
  holder: "Copyright (c) The Rust Project Contributors",
};

/** Returns the crates in the wasm, `[{ name, version, license, folder }]`, without those that run only during the build. */
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

/** Returns the npm packages with code in our bundles. */
function packages() {
  return BUNDLED.map((name) => {
    const folder = at("node_modules", ...name.split("/"));
    const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return { name, version, license, folder };
  });
}

/**
 * Returns the licences to use from a licence expression: the first known one of a choice ("OR"), all of a combination
 * ("AND").
 */
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

/** Returns the text of the list, as it must be committed. */
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
