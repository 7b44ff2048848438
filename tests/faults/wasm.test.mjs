/** Tests the package with wrong wasm, and where wasm may not run. */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { node } from "../../scripts/lib/run.mjs";
import { httpServer } from "../lib/http.mjs";
import { install, pack, runProgram } from "../package/installed.mjs";
import { expected, TOUR } from "../package/tour.mjs";

const WASM = "application/wasm";
const HTML = "<!doctype html><title>Not found</title>";
const FILE = /is that file, and of the same version/;

/** A module that compiles and has nothing in it. */
const EMPTY_MODULE = Buffer.from("0061736d01000000", "hex");

/** Answers with a content of a type. */
const give = (type, content) => (response) => response.writeHead(200, { "content-type": type }).end(content());

/** What a server may hand out, and what the message says of it. */
const WRONG = {
  missing: [(response) => response.writeHead(404).end(HTML), /status 404/, FILE],
  failing: [(response) => response.writeHead(503).end(), /status 503/, FILE],
  "a page in its place": [give("text/html", () => HTML), /magic/, FILE],
  "a page that claims to be wasm": [give(WASM, () => HTML), /magic/, FILE],
  "nothing at all": [give(WASM, () => ""), /4 bytes/, FILE],
  truncated: [give(WASM, () => wasm.subarray(0, -1_000)), /past end/, FILE],
  "cut off on the way": [cutOff, /terminated/, /init\(\) can be called again/],
  "another module": [give(WASM, () => EMPTY_MODULE), /not a function/, FILE],
  "another build": [give(WASM, otherBuild), /another build, 0{16}, than/, FILE],
};

let server;
let wasm;
let version;

beforeAll(async () => {
  ({ version } = await pack());
  wasm = readFileSync(join((await install()).home, "dist", "toolsift.wasm"));
  server = await httpServer(({ url }, response) => {
    const wrong = WRONG[decodeURIComponent(url.slice(1))];
    if (wrong) wrong[0](response);
    else response.writeHead(200, { "content-type": "application/octet-stream" }).end(wasm);
  });
});

afterAll(() => server.close());

function cutOff(response) {
  response.writeHead(200, { "content-type": WASM, "content-length": wasm.length });
  response.write(wasm.subarray(0, 5_000));
  setTimeout(() => response.destroy(), 50);
}

/** The file of another version, as a cache may keep it: its last bytes name its build. */
function otherBuild() {
  return Buffer.concat([wasm.subarray(0, -16), Buffer.from("0".repeat(16))]);
}

for (const [name, [, says, hint]] of Object.entries(WRONG)) {
  test(`slim: ${name}, and then the right file`, async () => {
    const source = `
      import { init, ToolSift, ToolSiftError } from "toolsift/slim";
      const origin = process.argv[2];
      const told = (error) => ({ ours: ToolSiftError.is(error), code: error.code, message: error.message });
      const wrong = () => init(origin + "/" + encodeURIComponent(process.argv[3])).then(() => "started", told);
      const use = () => { try { return new ToolSift().revision; } catch (error) { return told(error); } };
      const story = [await wrong(), use(), await wrong(), use()];
      await init(origin + "/right");
      ${TOUR}
      console.log(JSON.stringify({ story, tour }));`;
    const args = [server.url, name];
    const { story, tour } = await runProgram("slim-faults.mjs", source, args);
    for (const { ours, code, message } of story) {
      assert.deepEqual([ours, code], [true, "wasm_unavailable"]);
      assert.ok(message.length < 500, message);
    }
    const [first, early, second, late] = story.map(({ message }) => message);
    assert.match(first, says);
    assert.match(first, hint);
    assert.equal(second, first);
    assert.equal(late, early);
    assert.deepEqual(tour, expected(version));
  });
}

/** Runs a program with flags of Node. */
async function withFlags(flags, source) {
  const { app } = await install();
  writeFileSync(join(app, "flags.mjs"), source);
  return JSON.parse((await node(flags[0], [...flags.slice(1), "flags.mjs"], { cwd: app })).stdout);
}

test("a runtime without eval", async () => {
  const source = `
    import { ToolSift } from "toolsift";
    const forbidden = (() => { try { return eval("1"); } catch (error) { return error.name; } })();
    ${TOUR}
    console.log(JSON.stringify({ forbidden, tour }));`;
  const told = await withFlags(["--disallow-code-generation-from-strings"], source);
  assert.deepEqual(told, { forbidden: "EvalError", tour: expected(version) });
});

test("a runtime without WebAssembly", async () => {
  const source = `
    import { ToolSift, ToolSiftError } from "toolsift";
    const attempts = [() => new ToolSift(), () => ToolSift.version, () => ToolSift.profiles(), () => new ToolSift()];
    const told = attempts.map((attempt) => {
      try { return attempt(); } catch (error) { return [ToolSiftError.is(error), error.code, error.message]; }
    });
    console.log(JSON.stringify(told));`;
  const told = await withFlags(["--jitless"], source);
  const message = "the wasm core could not be started: WebAssembly is not defined (this runtime has no WebAssembly)";
  assert.deepEqual(told, new Array(4).fill([true, "wasm_unavailable", message]));
});
