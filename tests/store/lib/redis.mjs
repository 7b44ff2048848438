/** A real Redis for a test, on a free port and in a temporary folder. It ends with the test. */

import { spawn } from "node:child_process";
import { createServer } from "node:net";
import Redis from "ioredis";
import { provideRedis } from "../../../scripts/redis.mjs";
import { pause, scratch } from "./shared.mjs";

/** Starts a server. Stopped and started again, it has what it had, since it keeps every write. */
export async function openRedis() {
  const program = await provideRedis();
  const port = await freePort();
  const folder = scratch();
  const client = { host: "127.0.0.1", port };
  let server;

  async function start() {
    const flags = ["--port", port, "--bind", "127.0.0.1", "--dir", folder, "--save", "", "--appendonly", "yes"];
    server = spawn(program, [...flags.map(String), "--appendfsync", "always"], { stdio: "ignore" });
    await answering(client);
  }

  /** As a machine goes down: without a word. */
  async function stop() {
    if (server === undefined || server.exitCode !== null) return;
    const ended = new Promise((done) => server.once("exit", done));
    server.kill("SIGKILL");
    await ended;
  }

  process.on("exit", () => server?.kill("SIGKILL"));
  await start();
  return { client, start, stop };
}

async function answering(client) {
  for (let tries = 0; tries < 200; tries++) {
    const redis = new Redis({ ...client, lazyConnect: true, retryStrategy: null });
    redis.on("error", () => {});
    try {
      await redis.connect();
      await redis.ping();
      return;
    } catch {
      await pause(50);
    } finally {
      redis.disconnect();
    }
  }
  throw new Error(`redis does not answer on port ${client.port}`);
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
