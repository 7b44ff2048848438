/**
 * Writes the reference: one folder for each entry of the package and one page for each export, made from the types.
 * As a command: `node reference.mjs FOLDER`.
 */

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Application, Converter } from "typedoc";
import { at } from "../lib/paths.mjs";

/**
 * Returns the public entries of the package that have types, each with its source file. `./dist/x.d.ts` in package.json is
 * made from `pkg/src/x.ts`.
 */
export function entries() {
  const { exports } = JSON.parse(readFileSync(at("pkg", "package.json"), "utf8"));
  return Object.entries(exports)
    .map(([path, target]) => ({ path, types: target.import?.types ?? target.types }))
    .filter(({ path, types }) => types !== undefined && !/\.wasm$|^\.\/internal$/.test(path))
    .map(({ path, types }) => ({
      name: `toolsift${path.slice(1)}`,
      source: at("pkg", "src", types.slice("./dist/".length).replace(/\.d\.ts$/, ".ts")),
    }));
}

/** Writes the pages as Markdown into `folder`. Throws if TypeDoc reports an error. */
export async function writeReference(folder) {
  const all = entries();
  const app = await Application.bootstrapWithPlugins({
    entryPoints: all.map(({ source }) => source),
    tsconfig: at("pkg", "tsconfig.json"),
    plugin: [fileURLToPath(import.meta.resolve("typedoc-plugin-markdown"))],
    outputs: [{ name: "markdown", path: folder }],
    name: "API reference",
    readme: "none",
    logLevel: "Warn",
    disableSources: true,
    excludeInternal: true,
    excludePrivate: true,
    excludeExternals: true,
    validation: { notExported: false, invalidLink: true, notDocumented: false },
    router: "member",
    entryFileName: "index",
    hidePageHeader: true,
    hideBreadcrumbs: true,
    useCodeBlocks: true,
    expandObjects: true,
    sanitizeComments: true,
    parametersFormat: "table",
    interfacePropertiesFormat: "table",
    classPropertiesFormat: "table",
    typeDeclarationFormat: "table",
  });
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.children ?? []) {
      const file = project.getSymbolIdFromReflection(module)?.fileName;
      module.name = all.find(({ source }) => source === file)?.name ?? module.name;
    }
  });
  const project = await app.convert();
  if (project !== undefined) await app.generateOutputs(project);
  if (project === undefined || app.logger.hasErrors()) throw new Error("TypeDoc could not read the types");
  for (const name of readdirSync(folder, { recursive: true })) if (name.endsWith(".md")) shorten(join(folder, name));
}

/** Replaces the sections of re-exported names by one list. TypeDoc writes a section for each name. */
function shorten(file) {
  const text = readFileSync(file, "utf8");
  const listed = text.replaceAll(/(?:\*\*\*\n\n)?### \S+\n\nRe-exports (\[.*?\]\(.*?\))\n+/g, "- $1\n");
  if (listed !== text) writeFileSync(file, listed);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeReference(process.argv[2]);
