/**
 * Do shells complete what the command line knows?
 * 1. Bash offers commands, options and the values of options, where each belongs.
 * 2. zsh and fish are given every command and option; where the shell is installed, it reads its script.
 */

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { test } from "node:test";
import { programOf } from "../../cli/dist/main.js";
import { toolsift } from "./command-line.mjs";

const scriptOf = async (shell) => {
  const { code, stdout } = await toolsift(["completion", shell]);
  assert.equal(code, 0);
  return stdout;
};

/** What bash offers for the last of some words. */
function offered(script, ...words) {
  const list = words.map((word) => `'${word}'`).join(" ");
  const asked = `COMP_WORDS=(toolsift ${list}); COMP_CWORD=${words.length}; _toolsift; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync("bash", ["-c", `${script}\n${asked}`], { encoding: "utf8" })
    .split("\n")
    .filter(Boolean);
}

test("bash completes commands, options and values", async () => {
  const script = await scriptOf("bash");
  const commands = (await programOf()).commands.map((command) => command.name());
  assert.deepEqual(
    offered(script, "").filter((word) => !word.startsWith("-")),
    [...commands, "help"],
  );
  assert.deepEqual(offered(script, "do"), ["doctor"]);
  assert.deepEqual(offered(script, "size", "--fo"), ["--format"]);
  assert.deepEqual(offered(script, "doctor", "--fail-on", ""), ["error", "warning", "note", "never"]);
  assert.deepEqual(offered(script, "doctor", "tools.json", "--fail"), ["--fail-on"]);
  // A file that has the name of a command is an argument.
  assert.deepEqual(offered(script, "size", "doctor", "--format", "m"), ["mcp"]);
});

test("zsh and fish know every command and option", async () => {
  for (const shell of ["zsh", "fish"]) {
    const script = await scriptOf(shell);
    for (const command of (await programOf()).commands) {
      assert.ok(script.includes(command.name()), `${shell}: ${command.name()}`);
      for (const { long } of command.options) {
        const written = shell === "fish" ? `-l ${long.slice(2)}` : `'${long}:`;
        assert.ok(script.includes(written), `${shell}: ${command.name()} ${long}`);
      }
    }
    const read = spawnSync(shell, ["-n"], { input: script, encoding: "utf8" });
    if (read.error?.code !== "ENOENT") assert.equal(read.status, 0, read.stderr);
  }
});

test("another shell is refused with those that there are", async () => {
  const { code, stderr } = await toolsift(["completion", "tcsh"]);
  assert.equal(code, 2);
  assert.match(stderr, /Allowed choices are bash, zsh, fish/);
});
