/** Runs a worker in workerd, with a configuration that lists every module, one of them under the package's name. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { node } from "../../../scripts/lib/run.mjs";
import { programOf } from "./programs.mjs";

/** What a worker does with the program. */
export const HANDLER = `import { start } from "./start.mjs";
export default { fetch: async (request) => Response.json(await start(await request.json())) };
`;

/** A date on which workerd behaved as it does now. */
export const COMPATIBILITY_DATE = "2026-04-01";

/** Makes a folder with the installed package a worker of this source. */
export async function writeWorker(folder, source) {
  writeFileSync(join(folder, "worker.mjs"), source);
  writeFileSync(join(folder, "config.capnp"), config(folder, await entryOf(folder)));
}

/** What `toolsift` names under the condition `workerd`, as Node's resolver reads the exports. */
async function entryOf(folder) {
  const file = join(folder, "resolve.mjs");
  writeFileSync(file, `console.log(import.meta.resolve("toolsift"));`);
  const { stdout } = await node("--conditions=workerd", [file], { cwd: folder });
  rmSync(file);
  return fileURLToPath(stdout.trim());
}

function config(folder, entry) {
  const own = filesIn(folder).filter((path) => path.endsWith(".mjs") && basename(path) !== "worker.mjs");
  const parts = filesIn(dirname(entry)).filter((path) => /\/shared-[^/]*\.js$|\.wasm$/.test(path));
  const modules = [join(folder, "worker.mjs"), ...own, ...parts].map((path) => [basename(path), path]);
  return configOf([...modules, ["toolsift", entry]].map(([name, path]) => [name, relative(folder, path)]));
}

/** workerd's configuration for modules, each a name and a path from the configuration. The first is the worker's own. */
export function configOf(modules) {
  const embedded = modules.map(([name, path]) => `    (name = "${name}", ${typeOf(path)} = embed "${path}"),`);
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  compatibilityDate = "${COMPATIBILITY_DATE}",
  modules = [
${embedded.join("\n")}
  ],
);
`;
}

const typeOf = (path) => (path.endsWith(".wasm") ? "wasm" : path.endsWith(".bin") ? "data" : "esModule");

const filesIn = (folder) =>
  readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());

/** Starts the worker in a process of its own, sends it one request, and ends it. Answers the response's JSON. */
export async function askWorker(folder, body) {
  const stdio = ["ignore", "ignore", "pipe", "pipe"];
  const child = spawn(programOf("workerd").file, ["serve", "config.capnp", "--control-fd=3"], { cwd: folder, stdio });
  let complaints = "";
  child.stderr.on("data", (text) => (complaints += text));
  const ended = once(child, "exit").then(() => Promise.reject(new Error(`workerd ended: ${complaints}`)));
  const answered = once(child.stdio[3], "data").then(async ([line]) => {
    const { port } = JSON.parse(String(line));
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`status ${response.status}: ${await response.text()}${complaints}`);
    return response.json();
  });
  try {
    return await Promise.race([answered, ended]);
  } finally {
    ended.catch(() => {});
    child.kill();
  }
}
