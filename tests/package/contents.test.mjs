/**
 * What is in the tarball?
 * 1. Exactly the files that someone needs, and every file that package.json points to.
 * 2. No path of the machine that built it, in code, in source maps or in wasm. Each ES module has its map,
 *    with the sources in it.
 * 3. Nothing is imported but the SDKs of adapters, which are optional.
 * 4. The same version in package.json, the crate and the running core.
 * 5. The wasm once as a file and once as text, and both are the same.
 * 6. No page links to a file that is not in the tarball; such a link of the repository is plain text.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, posix } from "node:path";
import { test } from "node:test";
import { at, root } from "../../scripts/lib/paths.mjs";
import { fileOf, install, pack, runProgram } from "./installed.mjs";

/** The adapters: each has a page, a bundle and its types. */
const ADAPTERS = "ai-sdk|ai-sdk-middleware|anthropic|google|langchain|mastra|mcp|openai|openai-agents";

const EXPECTED = [
  /^package\.json$/,
  /^(README|CHANGELOG)\.md$/,
  /^LICENSE-(MIT|APACHE)$/,
  /^THIRD-PARTY-LICENSES\.md$/,
  /^docs\/(architecture|cli|cost|deploy|embeddings|enrichment|gateway|guide|history|limits|mcp-clients|mcp-sign-in|mcp-trust|packs|profiles|proxy|python|reference|runtimes|rust|search|sessions|speed|stability|trial|trouble)\.md$/,
  new RegExp(`^docs/adapters/(README|one-call|your-own|${ADAPTERS})\\.md$`),
  /^bin\/toolsift\.mjs$/,
  /^dist\/(index|workerd|edge|slim|store|author|gateway|guard|embed|packs|no-packs|background|no-background|proxy|shared-[0-9A-Z]{8})\.js(\.map)?$/,
  /^dist\/toolsift\.wasm(\.d\.ts)?$/,
  /^dist\/(cjs\/)?(index|enrichment|errors|session|shape|sift|spans|types)\.d\.ts$/,
  /^dist\/(cjs\/)?loop\/(ahead|bound|events|run|types)\.d\.ts$/,
  new RegExp(`^dist/(cjs/)?adapters/(${ADAPTERS})\\.js(\\.map)?$`),
  new RegExp(`^dist/(cjs/)?adapters/(${ADAPTERS})/[a-z-]+\\.d\\.ts$`),
  /^dist\/(cjs\/)?wire\/(anthropic-models|limits)\.d\.ts$/,
  /^dist\/(cjs\/)?doorway\/(doorway|loop-door|loop-options|own-tools|types|user)\.d\.ts$/,
  /^dist\/(cjs\/)?types\/(background|call|catalog|cost|defined|definition|enrichment|errors|guard|history|json|options|profile|ranker|ranking|request|scores|search|session|settings|signal|wire)\.d\.ts$/,
  /^dist\/(cjs\/)?gateway\/(gateway|http|index|pins|types)\.d\.ts$/,
  /^dist\/(cjs\/)?mcp\/(client|process|transport)\.d\.ts$/,
  /^dist\/(cjs\/)?servers\/(config|read|variables|way)\.d\.ts$/,
  /^dist\/(cjs\/)?guard\/(guard|index|options)\.d\.ts$/,
  /^dist\/(cjs\/)?author\/(endpoint|index|enrich\/(enrich|estimate|file|types)|doctor\/(checks|check|examine|report|types))\.d\.ts$/,
  /^dist\/(cjs\/)?suspicious\/(hidden|inspect|look-alike|pinned|server-tool)\.d\.ts$/,
  /^dist\/(cjs\/)?proxy\/(fetch|handler|index|types)\.d\.ts$/,
  /^dist\/(cjs\/)?packs\/(index|packs|types)\.d\.ts$/,
  /^dist\/(cjs\/)?store\/(files|index|store|types)\.d\.ts$/,
  /^dist\/(cjs\/)?embed\/(embeddings|index|types)\.d\.ts$/,
  /^dist\/entry\/slim\.d\.ts$/,
  /^dist\/cjs\/(index|store|author|background|gateway|guard|embed|packs|proxy|wasm)\.js$/,
  /^dist\/cjs\/packs\/[a-z0-9-]+\.js$/,
  /^dist\/cjs\/package\.json$/,
];

/** The places that package.json names, at any depth. */
function targets(value) {
  if (typeof value === "string") return value.startsWith("./") ? [value.slice(2)] : [];
  return Object.values(value ?? {}).flatMap(targets);
}

test("the tarball holds what is needed and nothing else", async () => {
  const { files } = await pack();
  const paths = files.map(({ path }) => path);
  const strays = paths.filter((path) => !EXPECTED.some((pattern) => pattern.test(path)));
  const missing = EXPECTED.filter((pattern) => !paths.some((path) => pattern.test(path)));
  assert.deepEqual([strays, missing], [[], []]);
  const { main, module, types, exports, imports, bin, dependencies } = JSON.parse(await fileOf("package.json"));
  const named = [...targets({ main, module, types, exports, imports }), ...Object.values(bin)];
  const dangling = named.filter((path) => !paths.includes(path));
  assert.deepEqual(dangling, []);
  assert.equal(dependencies, undefined);
});

test("an adapter imports what its users have, the package itself, and nothing else", async () => {
  const { files } = await pack();
  const { peerDependencies } = JSON.parse(await fileOf("package.json"));
  const scripts = files.map(({ path }) => path).filter((path) => path.startsWith("dist/adapters/") && path.endsWith(".js"));
  assert.ok(scripts.length > 0);
  for (const path of scripts) {
    const named = [...(await fileOf(path)).matchAll(/(?:\bfrom |\bimport ?\(?)"([^."][^"]*)"/g)].map(([, name]) => name);
    const packages = named.map((name) => name.match(/^(@[^/]+\/)?[^/]+/)[0]);
    const known = ["toolsift", ...Object.keys(peerDependencies)];
    const foreign = packages.filter((name) => !known.includes(name));
    assert.deepEqual(foreign, [], path);
  }
});

test("no path of this machine is in any file", async () => {
  const { files } = await pack();
  const { home } = await install();
  const local = [root, homedir(), tmpdir(), process.env.CARGO_HOME].filter((path) => path && path.length > 1);
  const paths = files.map(({ path }) => path);
  for (const path of paths) {
    const bytes = readFileSync(join(home, path));
    for (const place of local) assert.ok(!bytes.includes(`${place}/`), `${path} names ${place}`);
    if (path.endsWith(".js.map")) assert.ok(!JSON.parse(bytes).sourcesContent.includes(""), path);
    const isModule = /^dist\/(?!cjs\/).*\.js$/.test(path);
    assert.equal(bytes.includes("sourceMappingURL="), isModule, path);
    assert.equal(paths.includes(`${path}.map`), isModule, `${path} has a map`);
    assert.ok(!/registry\/src|index\.crates\.io/.test(bytes.toString("latin1")), `${path} names a registry`);
  }
});

test("every link of a page leads to a file of the tarball, to a place on a page, or to the web", async () => {
  const paths = (await pack()).files.map(({ path }) => path);
  const pages = paths.filter((path) => path.endsWith(".md"));
  let count = 0;
  for (const page of pages) {
    const prose = (await fileOf(page)).replaceAll(/^```.*?^```/gms, "").replaceAll(/`[^`\n]*`/g, "");
    const links = [...prose.matchAll(/\]\(\s*([^)]*?)\s*\)|^\[[^\]]*\]:\s*(\S+)/gm)].map(
      ([, inline, named]) => inline ?? named,
    );
    const files = links.filter((link) => !/^(https?:|#)/.test(link)).map((link) => link.replace(/#.*/, ""));
    const dead = files.filter((file) => !paths.includes(posix.join(posix.dirname(page), file)));
    assert.deepEqual(dead, [], page);
    count += files.length;
  }
  assert.ok(pages.length > 20 && count > 100, `${pages.length} pages with ${count} links`);
  const readme = await fileOf("README.md");
  assert.doesNotMatch(readme, /!\[|docs\/scene/, "a picture that is not packed");
  assert.match(readme, /^examples\/adapters has a complete agent for each SDK\.$/m);
  assert.match(readme, /^\[The guide\]\(docs\/guide\.md\) shows the loop/m);
});

test("package, crate and core have one version", async () => {
  const { version } = await pack();
  const crate = readFileSync(at("Cargo.toml"), "utf8").match(/^version = "(.+)"$/m)[1];
  const core = await runProgram(
    "version.mjs",
    `import { ToolSift } from "toolsift"; console.log(JSON.stringify(ToolSift.version));`,
  );
  assert.deepEqual({ crate, core }, { crate: version, core: version });
});

test("the wasm as text is the wasm", async () => {
  const { home } = await install();
  const [, hex] = (await fileOf("dist/cjs/wasm.js")).match(/= "([0-9a-f]+)";\n$/);
  assert.ok(Buffer.from(hex, "hex").equals(readFileSync(join(home, "dist", "toolsift.wasm"))));
});

test("the wasm has no places in the source, which only messages of panics name", async () => {
  const { home } = await install();
  const wasm = readFileSync(join(home, "dist", "toolsift.wasm")).toString("latin1");
  assert.doesNotMatch(wasm, /\w\.rs\b/);
});
