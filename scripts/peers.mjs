/** `npm run peers`: tests each adapter with the oldest and the newest version of its SDK that the package allows. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import semver from "semver";
import { buildBundles } from "./lib/bundle.mjs";
import { shared } from "./lib/installed.mjs";
import { vitest } from "./lib/javascript.mjs";
import { options } from "./lib/options.mjs";
import { at } from "./lib/paths.mjs";
import { SETS } from "./lib/peers.mjs";
import { inTemporary } from "./lib/place.mjs";
import { isCommand, main, report, step } from "./lib/progress.mjs";
import { npm, Problem } from "./lib/run.mjs";
import { setUp } from "./setup.mjs";

const HELP = `npm run peers [-- PEER[@VERSION]]

Installs each peer dependency of the package into a temporary folder, at the first release of each part of its range and at
its latest release, and runs the adapter's tests against it and the packed package. Needs the npm registry.
Ends with an error when a version cannot be installed, fails a test, or is outside the range.
  PEER   only this one, such as openai or @langchain/core; with a version, as in openai@6.10.0, only that version`;

/** Returns the versions to test: the oldest release in each part of the range, and the latest release. */
async function versionsOf(peer, range) {
  const view = async (what) => JSON.parse((await npm(["view", peer, what, "--json"])).stdout);
  const [versions, latest] = [[await view("versions")].flat(), await view("version")];
  const floors = range.split("||").map((part) => semver.minSatisfying(versions, part));
  if (floors.includes(null)) throw new Problem(`no release of ${peer} is at the beginning of ${range}`);
  return [...new Set([...floors, latest])].map((version) => ({ version, isFloor: floors.includes(version) }));
}

/** Installs one version with the packages that it needs, and runs its tests. */
function tried(peer, { version, isFloor }, packed) {
  const { beside = () => ({}), tests } = SETS[peer];
  return inTemporary("peer", async (folder) => {
    const dependencies = { ...beside(version, isFloor), [peer]: version };
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module", dependencies }));
    await npm(["install", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder });
    const outputFile = join(folder, "result.json");
    const env = { ...packed, TOOLSIFT_PEERS: folder };
    await vitest(["run", ...tests, "--reporter=default", "--reporter=json", `--outputFile.json=${outputFile}`], { env });
    return { summary: `${JSON.parse(readFileSync(outputFile, "utf8")).numPassedTests} passed` };
  });
}

if (isCommand(import.meta.url)) {
  const { peer: wanted = "" } = options({}, HELP, { operand: "peer" });
  const [, only, version] = /^(@?[^@]+)(?:@(.+))?$/.exec(wanted) ?? [];
  await main(async () => {
    const { peerDependencies: ranges } = JSON.parse(readFileSync(at("pkg", "package.json"), "utf8"));
    const peers = Object.keys(ranges).filter((name) => only === undefined || name === only);
    if (peers.length === 0) throw new Problem(`the package has no peer ${only}; it has ${Object.keys(ranges).join(", ")}`);
    const untested = peers.filter((name) => SETS[name] === undefined);
    if (untested.length > 0) throw new Problem(`scripts/lib/peers.mjs says nothing of ${untested.join(", ")}`);
    await setUp();
    const packed = await step("packing the package", async () => {
      await buildBundles({});
      return shared();
    });
    let code = 0;
    for (const peer of peers) {
      for (const one of version ? [{ version, isFloor: false }] : await versionsOf(peer, ranges[peer])) {
        try {
          await step(`${peer}@${one.version}`, () => tried(peer, one, packed));
          if (!semver.satisfies(one.version, ranges[peer]))
            throw new Problem(`${peer}@${one.version} is outside ${ranges[peer]}`);
        } catch (error) {
          report(error);
          code = 1;
        }
      }
    }
    return code;
  });
}
