/** `npm run translations`: makes the translations from everyday words to the words of tools. */

import { mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { table } from "./lib/columns.mjs";
import { LANGUAGES, languageTable } from "./translations/languages.mjs";
import { englishTable, englishWords } from "./translations/table.mjs";
import { writeText } from "../scripts/lib/json-lines.mjs";
import { options } from "../scripts/lib/options.mjs";
import { readPacks, translationsDir } from "../scripts/lib/packs/read.mjs";
import { isCommand, main } from "../scripts/lib/progress.mjs";

const HELP = `npm run translations -- [--to FOLDER]

Writes what people say for the words of tools: pkg/packs/translations/LANGUAGE.txt, a word a line, and behind it the words of
tools that it is said for. English is learned from the requests and keywords of the packs and the names of their tools (IBM model
1); the other languages are lists that a model wrote (lab/translations/LANGUAGE.txt).
  --to FOLDER   writes there instead`;

/** Returns the translations, `{ language, text }`, English first. */
export function tablesOf(packs) {
  const words = englishWords(packs);
  const tables = LANGUAGES.map((language) => ({ language, lines: languageTable(language, (word) => words.has(word)) }));
  const all = [{ language: "en", lines: englishTable(packs) }, ...tables];
  return all.map(({ language, lines }) => ({
    language,
    lines: lines.length,
    text: lines.map((line) => `${line}\n`).join(""),
  }));
}

async function translations() {
  const { to = translationsDir } = options({ to: { type: "string" } }, HELP);
  const packs = readPacks();
  mkdirSync(to, { recursive: true });
  const rows = tablesOf(packs).map(({ language, lines, text }) => {
    writeText(join(to, `${language}.txt`), text);
    return [language, [lines, Buffer.byteLength(text), gzipSync(text, { level: 9 }).length]];
  });
  const columns = ["words", "bytes", "gzip"].map((head, at) => [head, (row) => row[at].toLocaleString("en-US")]);
  table(basename(to), columns, rows);
}

if (isCommand(import.meta.url)) await main(translations);
