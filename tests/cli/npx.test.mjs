/** Tests that killing `npx toolsift mcp --http` ends the gateway and its servers, although npx passes on no signal. */

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { at } from "../../scripts/lib/paths.mjs";
import { folder, until } from "./command-line.mjs";
import { config, real } from "./processes.mjs";

/** The processes whose command line holds a text. */
const running = (text) => {
  const lines = execFileSync("ps", ["-eo", "stat,args"], { encoding: "utf8" }).split("\n");
  return lines.filter((line) => line.includes(text) && !/^\s*Z/.test(line) && !line.includes("ps -eo"));
};

for (const signal of ["SIGTERM", "SIGKILL"]) {
  test(`${signal} for npx ends the gateway and its servers`, async (t) => {
    const home = folder();
    const modules = join(home, "node_modules");
    mkdirSync(join(modules, ".bin"), { recursive: true });
    symlinkSync(at("pkg"), join(modules, "toolsift"));
    symlinkSync(at("cli"), join(modules, "toolsift-cli"));
    symlinkSync("../toolsift/bin/toolsift.mjs", join(modules, ".bin", "toolsift"));
    writeFileSync(join(home, "package.json"), '{ "name": "app", "private": true }');
    // The folder is in the server's command line, by which it is found among all processes.
    const file = config(home, { files: real("filesystem", home) }, { eager: true });
    const env = { ...process.env, TOOLSIFT_HOME: join(home, "state") };
    const args = ["--no-install", "toolsift", "mcp", "--http", "0", "--config", file];
    const npx = spawn("npx", args, { cwd: home, env, stdio: ["ignore", "ignore", "pipe"] });
    t.onTestFinished(() => npx.kill("SIGKILL"));
    let written = "";
    npx.stderr.on("data", (piece) => (written += piece));
    await until(() => /listening on/.test(written), `the gateway: ${written}`);
    await until(() => running("server-filesystem").some((line) => line.includes(home)), "the server");
    npx.kill(signal);
    await until(() => running(home).length === 0, "the end").catch(() => {});
    assert.deepEqual(running(home), []);
  });
}
