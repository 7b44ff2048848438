/** The command line as a stranger gets it: both packages packed, installed into an empty folder, and run. */

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { pack, scratch } from "../../scripts/lib/installed.mjs";
import { at, root } from "../../scripts/lib/paths.mjs";
import { node, npm } from "../../scripts/lib/run.mjs";
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

test("MCP Inspector searches six servers through it, also when they do not run yet", async () => {
  const servers = {
    memory: real("memory"),
    files: real("filesystem", app),
    everything: real("everything", "stdio"),
    github: real("github"),
  };
  servers.slack = { ...real("slack"), env: { SLACK_BOT_TOKEN: "none", SLACK_TEAM_ID: "none" } };
  servers.notes = real("memory");
  const config = join(app, "servers.json");
  writeFileSync(config, JSON.stringify({ mcpServers: servers }));
  const session = join(app, "inspector.json");
  const bin = join(app, "node_modules", "toolsift", "bin", "toolsift.mjs");
  const env = { TOOLSIFT_HOME: join(app, "state") };
  writeFileSync(
    session,
    JSON.stringify({ mcpServers: { toolsift: { command: process.execPath, args: [bin, "mcp", "--config", config], env } } }),
  );
  const inspector = at("node_modules", "@modelcontextprotocol", "inspector");
  const { bin: bins } = JSON.parse(readFileSync(join(inspector, "package.json"), "utf8"));
  const program = join(inspector, typeof bins === "string" ? bins : Object.values(bins)[0]);
  for (const start of ["first", "warm"]) {
    const args = [
      "--cli",
      "--config",
      session,
      "--server",
      "toolsift",
      "--method",
      "tools/call",
      "--tool-name",
      "search_tools",
    ];
    const { stdout, code } = await node(program, [...args, "--tool-arg", "query=open an issue"], { cwd: app, fails: false });
    assert.equal(code, 0, start);
    assert.match(JSON.parse(stdout).content[0].text, /^create_issue \(server github\)/, start);
  }
});
