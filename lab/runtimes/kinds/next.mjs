/** Runs the package in Next.js, in a route of its edge runtime and in a route of its Node runtime. */

import { spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { run } from "../../../scripts/lib/run.mjs";
import { appFolder, programData } from "../../../tests/runtimes/lib/app.mjs";
import { provideTools, toolVersion } from "../tools.mjs";

/** The time limit for Next to start, in ms. */
const PATIENCE = 60_000;

const ROUTE = (runtime) => `import { start } from "../../../scripts/start.mjs";
export const runtime = "${runtime}";
export const dynamic = "force-dynamic";
export const POST = async (request) => Response.json(await start(await request.json()));
`;

const env = { NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production" };

let building;

/** Builds one application for both routes. It is in the folder of the tools, so that it finds Next. */
function built() {
  building ??= (async () => {
    const tools = await provideTools();
    const folder = await appFolder({ inside: tools });
    process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
    for (const name of ["edge", "nodejs"]) {
      mkdirSync(join(folder, "app", name), { recursive: true });
      writeFileSync(join(folder, "app", name, "route.js"), ROUTE(name));
    }
    const next = join(tools, "node_modules", "next", "dist", "bin", "next");
    await run(process.execPath, [next, "build"], { cwd: folder, env });
    return { folder, next };
  })();
  return building;
}

const kind = (name, route, loader) => ({
  name,
  runtime: "Next.js",
  loader,
  start: async () => {
    const { folder, next } = await built();
    return {
      version: await toolVersion("next"),
      once: () => ask(folder, next, route),
    };
  },
});

export const next = [kind("next-edge", "edge", "edge route"), kind("next-node", "nodejs", "Node route")];

async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

/** Starts a new server, sends it one request, and ends it. */
async function ask(folder, next, route) {
  const port = await freePort();
  const args = [next, "start", "--hostname", "127.0.0.1", "--port", String(port)];
  const child = spawn(process.execPath, args, { cwd: folder, env: { ...process.env, ...env }, stdio: "ignore" });
  const ended = new Promise((_, reject) => child.on("exit", (code) => reject(new Error(`next ended with ${code}`))));
  try {
    return await Promise.race([post(`http://127.0.0.1:${port}/${route}`), ended]);
  } finally {
    ended.catch(() => {});
    child.kill();
  }
}

async function post(address) {
  const begin = Date.now();
  for (;;) {
    try {
      const response = await fetch(address, { method: "POST", body: JSON.stringify(programData()) });
      if (!response.ok) throw new Error(`status ${response.status}: ${await response.text()}`, { cause: "answered" });
      return await response.json();
    } catch (error) {
      if (error.cause === "answered" || Date.now() - begin > PATIENCE) throw error;
      await new Promise((done) => setTimeout(done, 50));
    }
  }
}
