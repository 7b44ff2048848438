/** `npm start`: sets up the machine, builds the package and the playground, and serves the playground until Ctrl-C. */

import { build } from "./build.mjs";
import { captureStep } from "./capture.mjs";
import { options } from "./lib/options.mjs";
import { at } from "./lib/paths.mjs";
import { buildPlayground } from "./lib/playground.mjs";
import { bold, dim, isCommand, main, step } from "./lib/progress.mjs";
import { Problem } from "./lib/run.mjs";

const PORT = 4173;

const HELP = `npm start [-- --port NUMBER] [-- --host ADDRESS]

Builds everything that is not up to date and serves the playground.
  --port NUMBER   the port to try first (${PORT}); when it is taken, the next free one
  --host ADDRESS  the address to listen at: 0.0.0.0 lets other devices in, such as a phone (localhost)`;

/** Returns a port as a number, or throws if the text is not a port. */
function portOf(text) {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new Problem(`--port takes a number up to 65535, not ${text}`);
  return port;
}

/** Serves the built page and returns its addresses. */
async function serve(port, host) {
  const { preview } = await import("vite");
  const server = await preview({
    root: at("www"),
    logLevel: "error",
    preview: { port, host, strictPort: false, open: false },
  });
  const stop = () => {
    console.log(dim("\nstopped"));
    process.exit(0);
  };
  process.removeAllListeners("SIGINT").once("SIGINT", stop);
  process.removeAllListeners("SIGTERM").once("SIGTERM", stop);
  return [...server.resolvedUrls.local, ...server.resolvedUrls.network];
}

if (isCommand(import.meta.url)) {
  const given = options({ port: { type: "string", default: String(PORT) }, host: { type: "string" } }, HELP);
  await main(async () => {
    const port = portOf(given.port);
    await build();
    await captureStep();
    await step("building the playground", () => buildPlayground());
    const addresses = await serve(port, given.host ?? "localhost");
    console.log(`\nThe playground is at ${addresses.map(bold).join(" and ")}\n${dim("Ctrl-C stops it.")}`);
  });
}
