/**
 * Does the README tell the truth?
 * 1. Each program that is followed by its output prints exactly that, with the installed package.
 */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { at } from "../../scripts/lib/paths.mjs";
import { node } from "../../scripts/lib/run.mjs";
import { install } from "./installed.mjs";

/** A block of JavaScript or TypeScript, and right after it, with at most one line of prose, a block of text. */
const PROGRAM_AND_OUTPUT = /^```(js|ts)\n((?:(?!```).*\n)+)```\n\n(?:(?!```).+\n\n)?```text\n((?:(?!```).*\n)+)```$/gm;

const readme = readFileSync(at("README.md"), "utf8");
const examples = [...readme.matchAll(PROGRAM_AND_OUTPUT)];

test("the README shows a program with its output", () => assert.ok(examples.length > 0));

examples.forEach(([, loader, source, output], i) => {
  const line = readme.slice(0, examples[i].index).split("\n").length;
  test(`README.md, line ${line}: the program prints what stands below it`, async () => {
    const { app } = await install();
    const { transform } = await import("esbuild");
    const { code } = await transform(source, { loader, format: "esm", target: "es2022" });
    const path = join(app, `readme-${i}.mjs`);
    writeFileSync(path, code);
    assert.equal((await node(path, [], { cwd: app })).stdout, output);
  });
});
