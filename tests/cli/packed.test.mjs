/**
 * Tests the command line as a user gets it: both packages packed, installed into an empty folder, and run. In the short
 * form, the packages are unpacked and use the dependencies of this repository, because `npm install` takes eight seconds.
 */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { beforeAll, test } from "vitest";
import { isFull } from "../../scripts/lib/full.mjs";
import { pack, scratch } from "../../scripts/lib/installed.mjs";
import { at, root } from "../../scripts/lib/paths.mjs";
import { node, npm } from "../../scripts/lib/run.mjs";
import { sdk1 } from "./mcp-clients-real.mjs";
import { real } from "./processes.mjs";

let app;
let files;

beforeAll(async () => {
  const { tarball } = await pack();
  const { stdout } = await npm(["pack", "--json", "--pack-destination", scratch()], { cwd: at("cli") });
  const [packed] = JSON.parse(stdout);
  files = packed.files.map(({ path }) => path);
  app = mkdtempSync(join(scratch(), "command-"));
  writeFileSync(join(app, "package.json"), '{ "private": true }\n');
  const tarballs = { toolsift: tarball, "toolsift-cli": join(scratch(), packed.filename) };
  const flags = ["--prefer-offline", "--ignore-scripts", "--no-audit"];
  if (isFull) await npm(["install", ...flags, ...Object.values(tarballs)], { cwd: app });
  else unpack(tarballs);
});

function unpack(tarballs) {
  for (const [name, file] of Object.entries(tarballs)) {
    const folder = join(app, "node_modules", name);
    mkdirSync(folder, { recursive: true });
    execFileSync("tar", ["-xzf", file, "-C", folder, "--strip-components=1"]);
  }
  const { dependencies } = JSON.parse(readFileSync(at("cli", "package.json"), "utf8"));
  const places = createRequire(at("cli", "package.json")).resolve.paths("any");
  for (const name of Object.keys(dependencies).filter((one) => !(one in tarballs))) {
    const link = join(app, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(places.map((place) => join(place, name)).find(existsSync), link);
  }
}

const toolsift = (...args) => {
  const env = { TOOLSIFT_HOME: join(app, "state"), NO_COLOR: "1" };
  return node(join(app, "node_modules", "toolsift", "bin", "toolsift.mjs"), args, { cwd: app, env, fails: false });
};

test("the package holds what is needed and nothing else", () => {
  const strays = files.filter(
    (path) => !/^(dist\/.*\.js|bin\/toolsift-cli\.mjs|package\.json|README\.md|LICENSE-(MIT|APACHE))$/.test(path),
  );
  assert.deepEqual(strays, []);
  for (const wanted of ["dist/main.js", "dist/commands/mcp.js", "LICENSE-MIT"]) assert.ok(files.includes(wanted), wanted);
  const home = join(app, "node_modules", "toolsift-cli");
  for (const path of files.filter((one) => one.endsWith(".js"))) {
    assert.ok(!readFileSync(join(home, path), "utf8").includes(root), `${path} names this machine`);
  }
  const { dependencies, version } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  assert.equal(dependencies.toolsift, version);
  assert.ok(!existsSync(join(app, "node_modules", "toolsift", "node_modules")));
});

test("`toolsift` runs the commands of the package beside it", async () => {
  assert.equal(
    (await toolsift("--version")).stdout.trim(),
    JSON.parse(readFileSync(at("pkg", "package.json"), "utf8")).version,
  );
  const help = await toolsift("mcp", "--help");
  assert.equal(help.code, 0);
  assert.match(help.stdout, /--http <port>/);
});

test("a client searches a server through it", async (t) => {
  const config = join(app, "servers.json");
  writeFileSync(config, JSON.stringify({ mcpServers: { memory: real("memory") } }));
  const bin = join(app, "node_modules", "toolsift", "bin", "toolsift.mjs");
  const args = [bin, "mcp", "--config", config, "--activation", "on"];
  const client = await sdk1({ command: process.execPath, args, env: { TOOLSIFT_HOME: join(app, "state") } });
  t.onTestFinished(() => client.close());
  const answer = await client.call("search_tools", { query: "read the entire knowledge graph" });
  assert.match(answer, /^\{"name":"read_graph","server":"memory"/m);
});
