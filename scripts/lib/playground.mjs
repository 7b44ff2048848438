/** Builds the playground with Vite, from www/ and the built package. */

import { unlessFresh } from "./fresh.mjs";
import { at } from "./paths.mjs";
import { npm } from "./run.mjs";

/** Builds www/dist unless it is up to date. */
export async function buildPlayground({ force } = {}) {
  const sources = ["index.html", "package.json", "vite.config.ts", "public", "captured", "src"].map((name) =>
    at("www", name),
  );
  const inputs = [...sources, at("pkg", "dist"), at("pkg", "packs"), at("package-lock.json")];
  const ran = await unlessFresh("playground", { inputs, outputs: [at("www", "dist")], force }, async () => {
    await npm(["run", "build", "-w", "www"]);
  });
  return ran ? {} : { summary: "nothing changed" };
}
