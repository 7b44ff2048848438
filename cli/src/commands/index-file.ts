/** `toolsift index`: writes a prebuilt index, so that an edge function starts fast, without indexing tool definitions. */

import { createReadStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { text } from "node:stream/consumers";
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

/** The text with which every index begins. */
const MAGIC = "toolsift";

interface IndexCommandOptions extends SourceOptions, EnrichmentOptions, PackOptions {
  output: string;
  json?: true;
}

export function indexCommand(): Command {
  return withPacks(withEnrichment(withSources(new Command("index"))))
    .description("write a prebuilt index for an edge function")
    .requiredOption("-o, --output <file>", "the file to write, such as tools.bin")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  $ toolsift index tools.json -o tools.bin
  $ toolsift index mcp.json --output dist/tools.bin --json

The index belongs to this version of toolsift: build it in the step that deploys.`,
    )
    .action(async (paths: string[], { output, json, ...options }: IndexCommandOptions) => {
      const there = await existing(output, paths, "the index");
      const isFull = there !== undefined && there.size > 0;
      if (isFull && (await text(createReadStream(output, { end: MAGIC.length - 1 }))) !== MAGIC) {
        throw misuse(`${quoted(output)} is there and is not an index; write the index to another file, or delete this one`);
      }
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
