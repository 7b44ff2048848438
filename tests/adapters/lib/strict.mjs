/**
 * Compiles programs under `strict` in applications with the packed package, like projects of users. All known programs are
 * compiled together, so that the libraries and the types of an SDK are read once.
 */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { scratch } from "../../../scripts/lib/installed.mjs";
import { at } from "../../../scripts/lib/paths.mjs";
import { appWith } from "./app.mjs";

const STRICT = {
  strict: true,
  target: "es2022",
  module: "nodenext",
  lib: ["es2023", "dom", "dom.iterable", "dom.asynciterable"],
  types: [],
  // Some SDKs' declarations do not pass a check of their own.
  skipLibCheck: true,
  noEmit: true,
  noUncheckedIndexedAccess: true,
};

const programs = [];

/**
 * A test that a program compiles in an application with these packages. `extension` says which kind of module it is.
 * Optional properties are exact, unless `exact` is false: where an SDK does not take what is its own then.
 */
export function compiles(label, program, packages, { extension = "mts", exact = true } = {}) {
  const one = { program, packages, exact, name: `program-${programs.length}.${extension}` };
  programs.push(one);
  test(label, async () => {
    if (one.said === undefined) await compile(exact);
    assert.equal(one.said, "");
  });
}

/** Compiles what is new among the programs of one kind of project. `said` of each is what the compiler says of it. */
async function compile(exact) {
  const some = programs.filter((one) => one.exact === exact && one.said === undefined);
  for (const one of some) {
    one.file = join((await appWith(one.packages)).folder, one.name);
    writeFileSync(one.file, one.program);
  }
  const project = join(scratch(), `strict${exact ? "-exact" : ""}.json`);
  const compilerOptions = { ...STRICT, exactOptionalPropertyTypes: exact };
  writeFileSync(project, JSON.stringify({ compilerOptions, files: some.map(({ file }) => file) }));
  const tsc = at("node_modules", "typescript", "bin", "tsc");
  // Several threads would each read the SDKs' types.
  const args = [tsc, "--singleThreaded", "--pretty", "false", "-p", project];
  // Paths are told from the root on; details of an error are indented.
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: "/", encoding: "utf8", maxBuffer: 2 ** 28 });
  const errors = stdout.split(/\n(?!\s)/).filter((error) => error !== "");
  if (status !== 0 && errors.length === 0) errors.push(`the compiler ended with ${status}: ${stderr}`);
  for (const one of some) {
    const others = some.filter((other) => other !== one);
    one.said = errors.filter((error) => !others.some(({ file }) => error.startsWith(`${file.slice(1)}(`))).join("\n");
  }
}
