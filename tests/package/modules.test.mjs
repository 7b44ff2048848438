/** Tests that the installed package runs, in every way to load it; `import` and `require` alone are in tests/runtimes. */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { node } from "../../scripts/lib/run.mjs";
import { install, linkTree, pack, runProgram } from "./installed.mjs";
import { expected, TOUR } from "./tour.mjs";

const PRINT = "console.log(JSON.stringify(tour));";
const ESM = `import { ToolSift } from "toolsift";\n${TOUR}`;
const CJS = `const { ToolSift } = require("toolsift");\n${TOUR}`;
const READ_WASM = `
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
const bytes = await readFile(createRequire(import.meta.url).resolve("toolsift/core.wasm"));`;

const story = async () => expected((await pack()).version);

for (const format of ["esm", "cjs"]) {
  test(`bundled by esbuild into one file (${format})`, async () => {
    const { app } = await install();
    const { build } = await import("esbuild");
    const entry = join(app, `bundle.${format === "esm" ? "mjs" : "cjs"}`);
    writeFileSync(entry, `${format === "esm" ? ESM : CJS}\n${PRINT}`);
    const outfile = join(app, `bundled.${format === "esm" ? "mjs" : "cjs"}`);
    await build({ entryPoints: [entry], bundle: true, minify: true, format, outfile, logLevel: "silent" });
    assert.deepEqual(JSON.parse((await node(outfile, [], { cwd: app })).stdout), await story());
  });
}

for (const [what, value] of [
  ["bytes", "bytes"],
  ["a compiled module", "new WebAssembly.Module(bytes)"],
  ["a response", 'new Response(bytes, { headers: { "content-type": "application/wasm" } })'],
  ["a response of another type", "Promise.resolve(new Response(bytes))"],
  ["an address", '"data:application/wasm;base64," + bytes.toString("base64")'],
]) {
  test(`slim, from ${what}`, async () => {
    const source = `
      import { init, ToolSift } from "toolsift/slim";
      ${READ_WASM}
      await Promise.all([init(${value}), init()]);
      ${TOUR} ${PRINT}`;
    assert.deepEqual(await runProgram("slim.mjs", source), await story());
  });
}

test("slim before init, and after one that failed", async () => {
  const source = `
    import { init, ToolSift, ToolSiftError } from "toolsift/slim";
    ${READ_WASM}
    const told = (error) => [ToolSiftError.is(error), error instanceof ToolSiftError, error.code, error.message];
    const unready = (() => { try { return new ToolSift(); } catch (error) { return told(error); } })();
    const broken = await init(bytes.subarray(0, 100)).catch(told);
    const missing = await init(new Response("", { status: 404 })).catch(told);
    const file = await init().catch(told);
    await init(bytes);
    ${TOUR}
    console.log(JSON.stringify({ unready, broken, missing, file, tour }));`;
  const { tour, ...errors } = await runProgram("slim-errors.mjs", source);
  for (const [ours, same, code] of Object.values(errors)) {
    assert.deepEqual([ours, same, code], [true, true, "wasm_unavailable"]);
  }
  assert.match(errors.unready[3], /await init\(\)/);
  assert.match(errors.missing[3], /404/);
  assert.match(errors.file[3], /pass the bytes/);
  assert.deepEqual(tour, await story());
});

test("nothing is compiled before the first use, and then once", async () => {
  const source = `
    const { Module } = WebAssembly;
    let compiled = 0;
    WebAssembly.Module = new Proxy(Module, { construct: (...args) => (compiled++, Reflect.construct(...args)) });
    const { ToolSift } = await import("toolsift");
    const counts = [compiled];
    for (let i = 0; i < 3; i++) { new ToolSift().register([]); counts.push(compiled); }
    console.log(JSON.stringify(counts));`;
  assert.deepEqual(await runProgram("lazy.mjs", source), [0, 1, 1, 1]);
});

test("two copies in one process", async () => {
  const { app, home } = await install();
  linkTree(home, join(app, "node_modules", "toolsift-copy"));
  const source = `
    import * as one from "toolsift";
    import * as two from "toolsift-copy";
    const caught = (copy) => { try { new copy.ToolSift({ profil: "x" }); } catch (error) { return error; } };
    const tell = ({ ToolSift }) => { ${TOUR} return tour; };
    const error = caught(two);
    console.log(JSON.stringify({
      classes: one.ToolSiftError !== two.ToolSiftError,
      instance: error instanceof one.ToolSiftError,
      known: one.ToolSiftError.is(error),
      others: [new Error("x"), null, { code: "internal" }].map((value) => one.ToolSiftError.is(value)),
      tours: [tell(one), tell(two)],
    }));`;
  const tour = await story();
  assert.deepEqual(await runProgram("copies.mjs", source), {
    classes: true,
    instance: false,
    known: true,
    others: [false, false, false],
    tours: [tour, tour],
  });
});
