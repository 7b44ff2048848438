/** What has to hold before a version is published. Each check returns what is wrong, or undefined. */

import { readFileSync } from "node:fs";
import { at } from "../paths.mjs";
import { ask, node, npm, run } from "../run.mjs";
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
export function versionsDiffer(found) {
  if (found.every(({ version }) => version !== undefined && version === found[0].version)) return undefined;
  return `versions differ: ${found.map(({ file, version }) => `${file} ${version ?? "none"}`).join(", ")}`;
}

/** What is wrong with a changelog for a version: it needs a section with the day of the release. */
export function changelogLacks(text, version) {
  const heading = text.split("\n").find((line) => line.startsWith(`## ${version} `) || line === `## ${version}`);
  if (heading === undefined) return `CHANGELOG.md has no section "## ${version} (YYYY-MM-DD)"`;
  if (!/^## \S+ \(\d{4}-\d{2}-\d{2}\)$/.test(heading))
    return `CHANGELOG.md says "${heading}"; write the day: "## ${version} (YYYY-MM-DD)"`;
  return undefined;
}

/** What of a crate may be packed: its sources, and the pages that its registry shows. */
const CRATE_FILES =
  /^(src\/[\w/.-]+|Cargo\.(toml|toml\.orig|lock)|README\.md|CHANGELOG\.md|LICENSE-(MIT|APACHE)|\.cargo_vcs_info\.json)$/;

/** The files of the crate as cargo would pack them. */
export async function crateFiles() {
  const { stdout } = await run("cargo", ["package", "--list", "--allow-dirty", "--locked"]);
  return stdout
    .split("\n")
    .filter(Boolean)
    .map((path) => path.replaceAll("\\", "/"));
}

/** The files that the crate should not have. */
export const straysOf = (files) => files.filter((path) => !CRATE_FILES.test(path));

/** A tool of cargo's that is not installed everywhere; CI has it. */
async function cargoTool(command, ...args) {
  if ((await ask("cargo", [command, "--version"])) === null)
    return { note: `cargo ${command} is not installed here: CI runs it` };
  const { code, output } = await run("cargo", [command, ...args], { fails: false });
  return code === 0 ? {} : { problem: `cargo ${command}: ${output.trim().split("\n").slice(-20).join("\n")}` };
}

/** The checks before anything is packed, each `{ title, run }`; `run` answers `{ problem?, note? }`. */
export const BEFORE = [
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
  {
    title: "the files of the crate",
    run: async () => {
      const strays = straysOf(await crateFiles());
      return { problem: strays.length > 0 ? `the crate would hold ${strays.slice(0, 10).join(", ")}` : undefined };
    },
  },
  { title: "cargo deny", run: () => cargoTool("deny", "check") },
  { title: "cargo semver-checks", run: () => cargoTool("semver-checks") },
];

/** The checks of the packed package. */
export const packed = (tarball) => [
  {
    title: "publint",
    run: () => program("publint", ["run", tarball, "--strict"]),
  },
  {
    title: "attw",
    // The old resolution knows no subpaths, and the slim entry and the wasm are ES modules only.
    run: () =>
      program("attw", [
        tarball,
        "--profile",
        "node16",
        "--ignore-rules",
        "cjs-resolves-to-esm",
        "--format",
        "ascii",
        "--no-color",
      ]),
  },
  {
    title: "signatures of the npm packages",
    run: async () => {
      const { code, output } = await npm(["audit", "signatures"], { fails: false });
      if (code === 0) return {};
      // Mirrors of the registry have no signatures, and there may be no network.
      const said = output.split("\n").filter((line) => /npm error|missing|invalid/.test(line))[0] ?? `exit code ${code}`;
      return process.env.GITHUB_ACTIONS === "true"
        ? { problem: `npm audit signatures: ${said}` }
        : { note: `cannot be checked here (${said.trim()}): CI runs it` };
    },
  },
];

async function program(name, args) {
  const { code, output } = await node(at("node_modules", ".bin", name), args, { fails: false });
  return code === 0 ? {} : { problem: `${name}: ${output.trim().split("\n").slice(-20).join("\n")}` };
}
