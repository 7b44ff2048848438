/** `npm run api`: writes the public API of the package as text with API Extractor, so that each change shows in review. */

import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { CompilerState, Extractor, ExtractorConfig } from "@microsoft/api-extractor";
import { buildBundles } from "./lib/bundle.mjs";
import { options } from "./lib/options.mjs";
import { at } from "./lib/paths.mjs";
import { inTemporary } from "./lib/place.mjs";
import { isCommand, main, step } from "./lib/progress.mjs";
import { Problem } from "./lib/run.mjs";
import { setUp } from "./setup.mjs";

const HELP = `npm run api

Builds the declarations of the package, and writes what each entry exports into api/. A difference is part of a change.`;

/** The entries that are left out: they are not public, or have the same types as another entry. */
const WITHOUT = ["./slim", "./core.wasm", "./package.json", "./internal"];

const QUIET = { default: { logLevel: "none" } };
const OPTIONS = { module: "nodenext", moduleResolution: "nodenext", target: "es2022", lib: ["es2023", "dom"], types: [] };

/** Returns the configuration of API Extractor for an entry. */
function configOf([name, target], folder) {
  const reportFileName = name === "." ? "toolsift" : name.slice(2);
  return ExtractorConfig.prepare({
    configObject: {
      projectFolder: at("pkg"),
      mainEntryPointFilePath: at("pkg", target.import.types),
      compiler: { overrideTsconfig: { compilerOptions: { ...OPTIONS, strict: true, skipLibCheck: true } } },
      apiReport: { enabled: true, reportFileName, reportFolder: at("api"), reportTempFolder: folder },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: "lf",
      messages: { compilerMessageReporting: QUIET, extractorMessageReporting: QUIET, tsdocMessageReporting: QUIET },
    },
    packageJsonFullPath: at("pkg", "package.json"),
  });
}

async function write(folder) {
  const { exports } = JSON.parse(readFileSync(at("pkg", "package.json"), "utf8"));
  const configs = Object.entries(exports)
    .filter(([name]) => !WITHOUT.includes(name))
    .map((entry) => configOf(entry, folder));
  rmSync(at("api"), { recursive: true, force: true });
  mkdirSync(at("api"));
  // With additional entry points, the declarations are read once for all entries.
  const additionalEntryPoints = configs.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath);
  const compilerState = CompilerState.create(configs[0], { additionalEntryPoints });
  for (const config of configs) {
    const messageCallback = (one) => (one.handled = true);
    const { succeeded } = Extractor.invoke(config, { compilerState, localBuild: true, messageCallback });
    if (!succeeded) throw new Problem(`no report of ${config.mainEntryPointFilePath}`);
  }
}

if (isCommand(import.meta.url)) {
  options({}, HELP);
  await main(async () => {
    await setUp();
    await step("building the package: bundles and types", () => buildBundles({}));
    await step("the reports of api/", () => inTemporary("api", write));
  });
}
