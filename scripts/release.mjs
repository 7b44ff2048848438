/**
 * `npm run release`: checks everything that a release needs, and shows what it would publish. Only GitHub Actions publishes.
 */

import { readFileSync } from "node:fs";
import { build } from "./build.mjs";
import { options } from "./lib/options.mjs";
import { at } from "./lib/paths.mjs";
import { green, isCommand, main, step } from "./lib/progress.mjs";
import { ask, npm, Problem, run } from "./lib/run.mjs";
import { THIRD_PARTY, thirdParty } from "./lib/third-party.mjs";

const HELP = `npm run release [-- --publish]

Checks what a release has to hold: one version everywhere, a changelog with its day, the address of the repository, nothing
uncommitted, the licences of others. Builds, and shows what npm and cargo would publish.
  --publish   publishes it; refused outside of GitHub Actions and for anything but the version's tag`;

const PACKAGES = ["pkg", "cli"];
const CRATES = ["toolsift-pattern", "toolsift", "toolsift-rmcp", "toolsift-rig"].flatMap((name) => ["-p", name]);

const read = (path) => readFileSync(at(path), "utf8");
const manifests = PACKAGES.map((folder) => ({
  file: `${folder}/package.json`,
  ...JSON.parse(read(`${folder}/package.json`)),
}));
const [{ version }, { dependencies }] = manifests;

/** Returns the problems that prevent a release, one line for each. */
async function problems() {
  const versions = [
    ...manifests.map((one) => [one.file, one.version]),
    ["the dependency of cli/package.json", dependencies.toolsift],
    ["Cargo.toml", /^version = "(.+)"$/m.exec(read("Cargo.toml"))?.[1]],
    ["Cargo.lock", /^name = "toolsift"\nversion = "(.+)"$/m.exec(read("Cargo.lock"))?.[1]],
  ];
  const without = [...manifests.filter(({ repository }) => !repository).map(({ file }) => file)];
  if (!/^repository = /m.test(read("Cargo.toml"))) without.push("Cargo.toml");
  const uncommitted = await ask("git", ["status", "--porcelain"]);
  return [
    ...versions.filter(([, one]) => one !== version).map(([file, one]) => `${file} has version ${one}, and not ${version}`),
    ...without.map((file) => `${file} has no "repository", which provenance names`),
    ...(new RegExp(`^## ${version} \\(\\d{4}-\\d{2}-\\d{2}\\)$`, "m").test(read("CHANGELOG.md"))
      ? []
      : [`CHANGELOG.md has no section "## ${version} (YYYY-MM-DD)"`]),
    ...(uncommitted === "" ? [] : [`not committed:\n${uncommitted}`]),
    ...(read(THIRD_PARTY) === (await thirdParty()) ? [] : [`${THIRD_PARTY} is not what is packed: npm run licenses`]),
  ];
}

/** Refuses to publish from anywhere but the release workflow, and for anything but the tag of the version. */
function checkPlace({ GITHUB_ACTIONS, ACTIONS_ID_TOKEN_REQUEST_URL, GITHUB_REF }) {
  if (GITHUB_ACTIONS !== "true" || ACTIONS_ID_TOKEN_REQUEST_URL === undefined) {
    throw new Problem("only .github/workflows/release.yml publishes: push the tag of the version");
  }
  if (GITHUB_REF !== `refs/tags/v${version}`) throw new Problem(`${GITHUB_REF} is not the tag v${version}`);
}

if (isCommand(import.meta.url)) {
  const { publish } = options({ publish: { type: "boolean" } }, HELP);
  await main(async () => {
    if (publish) checkPlace(process.env);
    await build();
    const found = await step("what a release has to hold", problems);
    if (found.length > 0) throw new Problem(`before version ${version} can be published:\n- ${found.join("\n- ")}`);
    const dry = publish ? [] : ["--dry-run"];
    for (const folder of PACKAGES) {
      await npm(["publish", "--provenance", "--access", "public", ...dry], { cwd: at(folder), inherit: true });
    }
    await run("cargo", ["publish", "--locked", ...CRATES, ...dry], { inherit: true });
    if (!publish) console.log(green(`\nnothing stands against it: push the tag v${version}`));
  });
}
