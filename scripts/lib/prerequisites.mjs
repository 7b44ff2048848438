/** Checks that Node and Rust are installed, and tells the user how to install them if not. */

import { ask, Problem } from "./run.mjs";

const RUSTUP = "curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh   (or https://rustup.rs)";

const NEEDS = [
  {
    what: "Node 20.19 or newer of the 20 line, or 22.12 or newer (the published package itself runs from Node 20.0)",
    get: "https://nodejs.org, or `nvm install 22`",
    found: () => nodeFits(process.versions.node),
    seen: () => `this is Node ${process.versions.node}`,
  },
  {
    what: "Rust with cargo",
    get: RUSTUP,
    found: async () => (await ask("cargo", ["--version"])) !== null,
  },
  {
    what: "a C compiler, which Rust needs for linking",
    get: "Debian and Ubuntu: apt-get install build-essential · Fedora: dnf install gcc · macOS: xcode-select --install",
    found: async () => {
      if (process.platform === "win32") return true;
      for (const compiler of ["cc", "gcc", "clang"]) if ((await ask(compiler, ["--version"])) !== null) return true;
      return false;
    },
  },
];

/** Returns true for a version of Node that Vite supports. No other package in the workspace needs a newer Node. */
export function nodeFits(version) {
  const [major, minor] = version.split(".").map(Number);
  return (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22;
}

/** Checks the prerequisites. Throws one error that names all missing ones. */
export async function checkPrerequisites() {
  const missing = [];
  for (const { what, get, found, seen } of NEEDS) {
    if (!(await found())) missing.push(`missing: ${what}${seen ? `; ${seen()}` : ""}\n  get it: ${get}`);
  }
  if (missing.length > 0) throw new Problem(missing.join("\n"));
}

/** Installs missing parts of the Rust toolchain with rustup. */
export async function checkRustParts(step) {
  const parts = [
    { title: "the wasm32 target of Rust", has: hasWasmTarget, add: ["target", "add", "wasm32-unknown-unknown"] },
    { title: "rustfmt", has: () => works("fmt"), add: ["component", "add", "rustfmt"] },
    { title: "clippy", has: () => works("clippy"), add: ["component", "add", "clippy"] },
  ];
  for (const { title, has, add } of parts) {
    if (await has()) continue;
    if ((await ask("rustup", ["--version"])) === null) {
      throw new Problem(`missing: ${title}, and rustup, which would add it\n  get it: ${RUSTUP}`);
    }
    await step(`adding ${title}`, add);
  }
}

const works = async (subcommand) => (await ask("cargo", [subcommand, "--version"])) !== null;

/** Returns true if the wasm target is installed. rustc names its folder even if it is missing, so the content is checked. */
async function hasWasmTarget() {
  const { existsSync } = await import("node:fs");
  const folder = await ask("rustc", ["--print", "target-libdir", "--target", "wasm32-unknown-unknown"]);
  return folder !== null && existsSync(folder);
}
