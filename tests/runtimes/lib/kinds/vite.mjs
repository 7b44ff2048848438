/** Runs the package with Vite, in a built page. */

import { join } from "node:path";
import { versionOf } from "../../../../scripts/lib/modules.mjs";
import { pageKind } from "../page.mjs";

export const by = () => `Vite ${versionOf("vite")}`;
export const common = (root) => ({ root, configFile: false, logLevel: "silent" });

export async function build(root) {
  const vite = await import("vite");
  await vite.build(common(root));
  return join(root, "dist");
}

export const viteBuild = pageKind("vite-build", "Vite, built", build, { by });
