/** `npm run peers`: each SDK at both ends of the range that the package states, with that adapter's tests. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import semver from "semver";
import { buildBundles } from "./lib/bundle.mjs";
import { shared } from "./lib/installed.mjs";
import { options } from "./lib/options.mjs";
import { at } from "./lib/paths.mjs";
import { SETS } from "./lib/peers/sets.mjs";
import { inTemporary } from "./lib/place.mjs";
import { bold, green, isCommand, main, red, step } from "./lib/progress.mjs";
import { npm, Problem, run } from "./lib/run.mjs";
import { setUp } from "./setup.mjs";

const HELP = `npm run peers [-- PEER[@VERSION]] [-- --json]

Installs each peer dependency of the package into a temporary folder, at the first release of each part of its range and at
its latest release, and runs the adapter's tests against it and the packed package. Needs the npm registry.
Prints a table; ends with an error when a version cannot be installed, fails a test, or is outside the range.
  PEER     only this one, such as openai or @langchain/core; with a version, as in openai@6.10.0, only that version
  --json   the same for programs`;

/** The versions to test: the first release that each part of the range takes, and the latest of all. */
async function versionsOf(peer, range, chosen) {
  const inRange = (version) => semver.satisfies(version, range);
  if (chosen !== undefined) return [{ peer, version: chosen, isFloor: false, inRange: inRange(chosen) }];
  const view = async (what) => JSON.parse((await npm(["view", peer, what, "--json"])).stdout);
  const [versions, latest] = [[await view("versions")].flat(), await view("version")];
  const floors = range.split("||").map((part) => {
    return semver.minSatisfying(versions, part) ?? fail(`no release of ${peer} is in ${part.trim()}`);
  });
  const all = [...new Set([...floors, latest])];
  return all.map((version) => ({ peer, version, isFloor: floors.includes(version), inRange: inRange(version) }));
}

function fail(problem) {
  throw new Problem(problem);
}

/** Installs one version beside what it needs, and runs its tests: the row of the table. */
function tried({ peer, version, isFloor, inRange }, packed) {
  const { beside = () => ({}), tests } = SETS[peer];
  const problem = inRange ? undefined : "is outside the range of pkg/package.json";
  const row = { peer, version, passed: 0, failed: 0, problem };
  return inTemporary("peer", async (folder) => {
    const dependencies = { [peer]: version, ...withoutPeer(beside(version, isFloor), peer) };
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module", dependencies }));
    const installed = await npm(["install", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder, fails: false });
    if (installed.code !== 0) return { ...row, problem: `cannot be installed: ${lastError(installed.output)}` };
    const hook = pathToFileURL(at("scripts", "lib", "peers", "from-peers.mjs")).href;
    const env = { ...packed, TOOLSIFT_PEERS: folder, MASTRA_TELEMETRY_DISABLED: "1" };
    const args = ["--import", hook, "--test", "--test-reporter=tap", ...tests];
    const { stdout, code } = await run(process.execPath, args, { env, fails: false });
    const count = (word) => Number(new RegExp(`^# ${word} (\\d+)$`, "m").exec(stdout)?.[1] ?? 0);
    const [first] = /(?<=^not ok \d+ - ).*/m.exec(stdout) ?? [];
    const counts = { passed: count("pass"), failed: count("fail") };
    return code === 0 ? { ...row, ...counts } : { ...row, ...counts, problem: `fails: ${first ?? `exit code ${code}`}` };
  });
}

const withoutPeer = (packages, peer) => Object.fromEntries(Object.entries(packages).filter(([name]) => name !== peer));

/** What npm says of the reason. */
function lastError(output) {
  const lines = output.split("\n").filter((line) => /npm (error|ERR!)/.test(line));
  const text = lines
    .map((line) => line.replace(/^npm (error|ERR!)( code)? ?/, "").trim())
    .filter(Boolean)
    .slice(0, 3);
  return text.join(" ").slice(0, 160);
}

function print(rows) {
  const line = (cells) => console.log(cells.join("").trimEnd());
  line([bold("peer".padEnd(32)), bold("version".padEnd(12)), bold("passed".padStart(7)), bold("failed".padStart(7))]);
  for (const { peer, version, passed, failed, problem } of rows) {
    const end = problem === undefined ? green("  ok") : red(`  ${problem}`);
    line([peer.padEnd(32), version.padEnd(12), String(passed).padStart(7), String(failed).padStart(7), end]);
  }
}

if (isCommand(import.meta.url)) {
  const { json, peer: wanted = "" } = options({ json: { type: "boolean" } }, HELP, { operand: "peer" });
  const [, only, version] = /^(@?[^@]+)(?:@(.+))?$/.exec(wanted) ?? [];
  await main(async () => {
    const { peerDependencies: ranges } = JSON.parse(readFileSync(at("pkg", "package.json"), "utf8"));
    if (only !== undefined && ranges[only] === undefined) {
      throw new Problem(`the package has no peer ${only}; it has ${Object.keys(ranges).join(", ")}`);
    }
    const untested = Object.keys(ranges).filter((name) => SETS[name] === undefined);
    if (untested.length > 0) throw new Problem(`scripts/lib/peers/sets.mjs says nothing of ${untested.join(", ")}`);
    await setUp();
    const packed = await step("packing the package", async () => {
      await buildBundles({});
      return shared();
    });
    const chosen = Object.entries(ranges).filter(([name]) => only === undefined || name === only);
    const rows = [];
    for (const [peer, range] of chosen) {
      for (const one of await versionsOf(peer, range, version)) {
        rows.push(
          await step(`${peer}@${one.version}`, async () => {
            const row = await tried(one, packed);
            return { ...row, summary: row.problem ?? `${row.passed} passed` };
          }),
        );
      }
    }
    const table = rows.map(({ summary: _, ...row }) => row);
    if (json) console.log(JSON.stringify(table, null, 2));
    else print(table);
    return table.every(({ problem }) => problem === undefined) ? 0 : 1;
  });
}
