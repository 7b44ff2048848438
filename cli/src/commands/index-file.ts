/** `toolsift index`: a prebuilt index, with which an edge function starts without reading definitions. */

import { type FileHandle, open, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { gzipSync } from "node:zlib";
import { Command } from "commander";
import { Failure, misuse, reasonOf } from "../base/failure.js";
import { oneLine, quoted } from "../output/escape.js";
import { colours, print, printJson } from "../output/print.js";
import { count, counted } from "../output/table.js";
import { catalogOf } from "../sources/catalog.js";
import { type EnrichmentOptions, enrichmentOf, withEnrichment } from "../sources/enrichment.js";
import { existing } from "../sources/output.js";
import { type PackOptions, packed, withPacks } from "../sources/packs.js";
import { readSources, type SourceOptions, withSources } from "../sources/sources.js";
import { jsonOption } from "./options.js";

interface IndexCommandOptions extends SourceOptions, EnrichmentOptions, PackOptions {
  output: string;
  force?: true;
  json?: true;
}

export function indexCommand(): Command {
  return withPacks(withEnrichment(withSources(new Command("index"))))
    .description("write a prebuilt index for an edge function")
    .requiredOption("-o, --output <file>", "the file to write, such as tools.bin")
    .option("--force", "write over an existing file that is not an index")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  $ toolsift index tools.json -o tools.bin
  $ toolsift index mcp.json --output dist/tools.bin --json

The index belongs to this version of toolsift: build it in the step that deploys.`,
    )
    .action(async (paths: string[], { output, force, json, ...options }: IndexCommandOptions) => {
      await checkOutput(output, paths, force === true);
      const enrichment = await enrichmentOf(options);
      const { lists } = await readSources(paths, options);
      const sift = catalogOf(await packed(lists, options), {}, enrichment);
      const index = sift.exportIndex();
      try {
        await writeFile(output, index);
      } catch (error) {
        throw new Failure(`${quoted(output)} cannot be written: ${reasonOf(error)}`);
      }
      const { length: tools } = sift.tools();
      const { contentHash } = sift;
      const compressed = gzipSync(index).length;
      if (json) return printJson({ file: output, tools, bytes: index.length, gzipBytes: compressed, contentHash });
      const sizes = `${count(index.length)} bytes, ${count(compressed)} with gzip`;
      print(`${colours.bold(oneLine(output, 200))}: ${counted(tools, "tool")}, ${sizes}`);
      print(`contentHash: ${contentHash}\n`);
      print(`import { ToolSift } from "toolsift";`);
      print(`const sift = ToolSift.fromIndex(bytes, { contentHash: "${contentHash}" });`);
      const module = JSON.stringify(`./${oneLine(basename(output), 200)}`);
      print(`\nbytes: import bytes from ${module} in a Worker, readFileSync in Node. docs/deploy.md has every runtime.`);
    });
}

/**
 * Makes sure that nothing is lost when the index is written.
 *
 * @throws Failure where the file is a source, or holds something else than an index and `--force` is not given
 */
async function checkOutput(output: string, paths: readonly string[], force: boolean): Promise<void> {
  const target = await existing(output, paths, "the index");
  if (target === undefined) return;
  if (force || target.size === 0 || (await isIndex(output))) return;
  throw misuse(`${quoted(output)} exists and is not an index of toolsift; name another file, or write over it with --force`);
}

/** The first bytes of every index, whatever version wrote it. */
const MAGIC = Buffer.from("toolsift");

async function isIndex(path: string): Promise<boolean> {
  let file: FileHandle | undefined;
  try {
    file = await open(path);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0);
    return bytesRead === MAGIC.length && buffer.equals(MAGIC);
  } catch {
    return false;
  } finally {
    await file?.close();
  }
}
