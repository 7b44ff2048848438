/** The command line as a stranger gets it: both packages packed, installed into an empty folder, and run. */

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { pack, scratch } from "../../scripts/lib/installed.mjs";
import { at, root } from "../../scripts/lib/paths.mjs";
import { node, npm } from "../../scripts/lib/run.mjs";
import { sdk1 } from "./mcp-clients-real.mjs";
import { real } from "./processes.mjs";

let app;
let files;

before(async () => {
  const { tarball } = await pack();
  const { stdout } = await npm(["pack", "--json", "--pack-destination", scratch()], { cwd: at("cli") });
  const [packed] = JSON.parse(stdout);
  files = packed.files.map(({ path }) => path);
  app = mkdtempSync(join(scratch(), "command-"));
  writeFileSync(join(app, "package.json"), '{ "private": true }\n');
  await npm(["install", "--prefer-offline", "--ignore-scripts", "--no-audit", tarball, join(scratch(), packed.filename)], {
    cwd: app,
  });
});

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
  t.after(() => client.close());
  const answer = await client.call("search_tools", { query: "read the entire knowledge graph" });
  assert.match(answer, /^read_graph \(server memory\)/);
});
