/** Cloudflare's workerd itself: the package's files are modules of a worker, one of them under the package's name. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { filesUnder } from "../../lib/fresh.mjs";
import { node } from "../../lib/run.mjs";
import { appFolder, programData } from "../app.mjs";
import { programOf } from "../programs.mjs";

/** What the worker does, in the package's own words of a handler. */
export const HANDLER = `import { start } from "./start.mjs";
export default { fetch: async (request) => Response.json(await start(await request.json())) };
`;

/** A date on which workerd behaved as it does now. */
export const COMPATIBILITY_DATE = "2026-04-01";

export const workerd = {
  name: "workerd",
  runtime: "workerd",
  loader: "as it is",
  start: async () => {
    const { file, version } = programOf("workerd");
    const folder = await appFolder();
    writeFileSync(join(folder, "worker.mjs"), HANDLER);
    writeFileSync(join(folder, "config.capnp"), config(folder, await entryOf(folder)));
    return {
      version,
      once: () => ask(file, folder),
    };
  },
};

/** What `toolsift` names under the condition `workerd`, as Node's resolver reads the exports. */
async function entryOf(folder) {
  writeFileSync(join(folder, "resolve.mjs"), `console.log(import.meta.resolve("toolsift"));`);
  const { stdout } = await node("--conditions=workerd", ["resolve.mjs"], { cwd: folder });
  return fileURLToPath(stdout.trim());
}

function config(folder, entry) {
  const own = filesUnder(folder).filter((path) => dirname(path) === folder && path.endsWith(".mjs"));
  const beside = filesUnder(dirname(entry)).filter((path) => dirname(path) === dirname(entry) && path !== entry);
  const embed = (name, path) => {
    const type = path.endsWith(".wasm") ? "wasm" : "esModule";
    return `    (name = "${name}", ${type} = embed "${relative(folder, path)}"),`;
  };
  // The first module is the worker's own.
  const modules = [join(folder, "worker.mjs"), ...own.filter((path) => basename(path) !== "worker.mjs")];
  const parts = beside.filter((path) => /\/shared-|\.wasm$/.test(path));
  const embedded = [...modules, ...parts].map((path) => embed(basename(path), path));
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  compatibilityDate = "${COMPATIBILITY_DATE}",
  modules = [
${[...embedded, embed("toolsift", entry)].join("\n")}
  ],
);
`;
}

/** Starts a process, sends it one request, and ends it. */
async function ask(file, folder) {
  const stdio = ["ignore", "ignore", "pipe", "pipe"];
  const child = spawn(file, ["serve", "config.capnp", "--control-fd=3"], { cwd: folder, stdio });
  let complaints = "";
  child.stderr.on("data", (text) => (complaints += text));
  const ended = once(child, "exit").then(() => Promise.reject(new Error(`workerd ended: ${complaints}`)));
  const answered = once(child.stdio[3], "data").then(async ([line]) => {
    const { port } = JSON.parse(String(line));
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: JSON.stringify(programData()) });
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
