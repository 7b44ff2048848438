/** What has to hold before a version is published. Each check returns what is wrong, or undefined. */

import { readFileSync } from "node:fs";
import { at } from "../paths.mjs";
import { ask, run } from "../run.mjs";
import { metadata } from "./metadata.mjs";
import { addressesOf, PROJECT } from "./project.mjs";
import { THIRD_PARTY, thirdParty } from "./third-party.mjs";

const read = (path) => readFileSync(at(path), "utf8");
const json = (path) => JSON.parse(read(path));

/** The version that the packages and the crate name, each with the file. */
export function versions() {
  return [
    { file: "Cargo.toml", version: /^version = "(.+)"$/m.exec(read("Cargo.toml"))?.[1] },
    { file: "Cargo.lock", version: /^name = "toolsift"\nversion = "(.+)"$/m.exec(read("Cargo.lock"))?.[1] },
    { file: "pkg/package.json", version: json("pkg/package.json").version },
    { file: "cli/package.json", version: json("cli/package.json").version },
    { file: "cli/package.json (dependency toolsift)", version: json("cli/package.json").dependencies.toolsift },
  ];
}

/** What is wrong with a list of versions. */
function versionsDiffer(found) {
  if (found.every(({ version }) => version !== undefined && version === found[0].version)) return undefined;
  return `versions differ: ${found.map(({ file, version }) => `${file} ${version ?? "none"}`).join(", ")}`;
}

/** What is wrong with a changelog for a version: it needs a section with the day of the release. */
function changelogLacks(text, version) {
  const heading = text.split("\n").find((line) => line.startsWith(`## ${version} `) || line === `## ${version}`);
  if (heading === undefined) return `CHANGELOG.md has no section "## ${version} (YYYY-MM-DD)"`;
  if (!/^## \S+ \(\d{4}-\d{2}-\d{2}\)$/.test(heading))
    return `CHANGELOG.md says "${heading}"; write the day: "## ${version} (YYYY-MM-DD)"`;
  return undefined;
}

/** A tool of cargo's that is not installed everywhere; CI has it. */
async function cargoTool(command, ...args) {
  if ((await ask("cargo", [command, "--version"])) === null)
    return { note: `cargo ${command} is not installed here: CI runs it` };
  const { code, output } = await run("cargo", [command, ...args], { fails: false });
  return code === 0 ? {} : { problem: `cargo ${command}: ${output.trim().split("\n").slice(-20).join("\n")}` };
}

/** The checks, each `{ title, run }`; `run` answers `{ problem?, note? }`. */
export const CHECKS = [
  {
    title: "one version everywhere, and in the changelog",
    run: () => {
      const found = versions();
      return { problem: versionsDiffer(found) ?? changelogLacks(read("CHANGELOG.md"), found[0].version) };
    },
  },
  {
    title: "the addresses of the project",
    run: () => {
      if (!addressesOf(PROJECT)) {
        return {
          problem: "the repository is not filled in: scripts/lib/release/project.mjs, then npm run release -- --metadata",
        };
      }
      const stale = metadata().filter(({ text, wanted }) => text !== wanted);
      return {
        problem: stale.length > 0 ? `${stale.map(({ path }) => path).join(", ")}: npm run release -- --metadata` : undefined,
      };
    },
  },
  {
    title: "nothing that is not committed",
    run: async () => {
      const status = await ask("git", ["status", "--porcelain"]);
      if (status === null) return { problem: "git cannot tell what is committed" };
      return { problem: status === "" ? undefined : `not committed:\n${status.split("\n").slice(0, 10).join("\n")}` };
    },
  },
  {
    title: "third-party licences",
    run: async () => ({
      problem: read(THIRD_PARTY) === (await thirdParty()) ? undefined : `${THIRD_PARTY}: npm run licenses -- --update`,
    }),
  },
  { title: "cargo deny", run: () => cargoTool("deny", "check") },
  { title: "cargo semver-checks", run: () => cargoTool("semver-checks") },
];
