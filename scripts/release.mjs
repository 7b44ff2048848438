/** `npm run release`: prepares a release and shows what it would publish. Only GitHub Actions publishes. */

import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { build } from "./build.mjs";
import { options } from "./lib/options.mjs";
import { at } from "./lib/paths.mjs";
import { inTemporary } from "./lib/place.mjs";
import { bold, green, isCommand, main, red, step } from "./lib/progress.mjs";
import { CHECKS, versions } from "./lib/release/checks.mjs";
import { PACKAGES, writeMetadata } from "./lib/release/metadata.mjs";
import { npm, Problem, run } from "./lib/run.mjs";
import { setUp } from "./setup.mjs";

const HELP = `npm run release -- --dry-run | --metadata | --publish

Prepares a release: one version everywhere, a changelog with its day, addresses of the project, nothing uncommitted, licences,
and builds. Prints what would be published where.
  --dry-run    does all this and publishes nothing; ends with an error if something stands against the release
  --metadata   writes the addresses of scripts/lib/release/project.mjs into pkg/, cli/ and Cargo.toml
  --publish    publishes what the checks let through; refused outside of GitHub Actions and for anything but the version's tag`;

/** Runs the checks and returns what stands against the release. */
async function problemsOf() {
  const problems = [];
  for (const { title, run: check } of CHECKS) {
    await step(title, async () => {
      const { problem, note } = await check();
      if (problem !== undefined) problems.push(problem);
      return { summary: problem !== undefined ? red("stands against the release") : note };
    });
  }
  return problems;
}

/** Packs an npm package: `{ name, version, tarball, bytes, unpacked, files }`. */
async function packInto(folder, place) {
  const { stdout } = await npm(["pack", "--json", "--pack-destination", place], { cwd: at(folder) });
  const [{ name, version, filename, size, unpackedSize, entryCount }] = JSON.parse(stdout);
  return { name, version, tarball: join(place, filename), bytes: size, unpacked: unpackedSize, files: entryCount };
}

/** The crates that are published. */
const CRATES = ["toolsift-pattern", "toolsift", "toolsift-rmcp", "toolsift-rig"];
const OF_CRATES = CRATES.flatMap((name) => ["-p", name]);

/** Packs the crates without building them: `[{ name, bytes }]`. */
async function packCrates(place, version) {
  const target = join(place, "crates");
  await run("cargo", ["package", "--locked", "--no-verify", "--allow-dirty", "--target-dir", target, ...OF_CRATES]);
  return CRATES.map((name) => ({ name, bytes: statSync(join(target, "package", `${name}-${version}.crate`)).size }));
}

/** The platforms of the matrix of .github/workflows/release.yml. */
const WHEELS = "Linux x86-64 and arm64, macOS x86-64 and arm64, Windows";

const kilobytes = (bytes) => `${Math.round(bytes / 1000).toLocaleString("en-US")} KB`;

/** Prints what would be published where. */
function print(packages, crates, version) {
  console.log(`\n${bold("What a release publishes")}`);
  for (const { name, bytes, unpacked, files } of packages) {
    console.log(
      `  npm    ${`${name}@${version}`.padEnd(24)}${files} files, ${kilobytes(bytes)} packed, ${kilobytes(unpacked)} unpacked, with provenance`,
    );
  }
  console.log(
    `  PyPI   ${`toolsift ${version}`.padEnd(24)}wheels for ${WHEELS} and the sources, built by the workflow, by trusted publishing`,
  );
  for (const { name, bytes } of crates) {
    console.log(`  crate  ${`${name} ${version}`.padEnd(24)}${kilobytes(bytes)} packed, by trusted publishing`);
  }
}

/** Refuses to publish from anywhere but the release workflow, and for anything but the tag of the version. */
function mayPublish(env, version) {
  if (env.GITHUB_ACTIONS !== "true" || env.ACTIONS_ID_TOKEN_REQUEST_URL === undefined) {
    return "only .github/workflows/release.yml publishes: push the tag of the version";
  }
  const tag = `v${version}`;
  return env.GITHUB_REF === `refs/tags/${tag}`
    ? undefined
    : `this is ${env.GITHUB_REF ?? "no ref"}; version ${version} is published from the tag ${tag}`;
}

/** Publishes the tarballs that were checked, and the crates. */
async function publish(packages) {
  for (const { name, tarball } of packages) {
    await step(`npm: ${name}`, () => npm(["publish", tarball, "--provenance", "--access", "public", "--ignore-scripts"]));
  }
  await step("the crates", () => run("cargo", ["publish", "--locked", ...OF_CRATES]));
}

async function release({ isReal }) {
  const [{ version }] = versions();
  const refused = isReal ? mayPublish(process.env, version) : undefined;
  if (refused !== undefined) throw new Problem(refused);
  await setUp();
  return inTemporary("release", async (place) => {
    const problems = await problemsOf();
    await build();
    const packages = [];
    for (const folder of PACKAGES) {
      mkdirSync(join(place, folder));
      await step(`packing ${folder}`, async () => void packages.push(await packInto(folder, join(place, folder))));
    }
    let crates;
    await step("packing the crates", async () => void (crates = await packCrates(place, version)));
    print(packages, crates, version);
    if (problems.length > 0) {
      console.log(`\n${red("Before it can be published")}`);
      for (const problem of problems) console.log(`- ${problem.replaceAll("\n", "\n  ")}`);
      return 1;
    }
    if (isReal) await publish(packages);
    else console.log(`\n${green("nothing stands against it")}: push the tag v${version}`);
    return 0;
  });
}

if (isCommand(import.meta.url)) {
  const spec = { "dry-run": { type: "boolean" }, metadata: { type: "boolean" }, publish: { type: "boolean" } };
  const chosen = options(spec, HELP);
  await main(async () => {
    if (Object.keys(chosen).length !== 1)
      throw new Problem(`one of --dry-run, --metadata and --publish is wanted\n\n${HELP}`);
    if (!chosen.metadata) return release({ isReal: chosen.publish === true });
    const changed = writeMetadata();
    console.log(changed.length > 0 ? `written: ${changed.join(", ")}` : "nothing to write");
    return 0;
  });
}
