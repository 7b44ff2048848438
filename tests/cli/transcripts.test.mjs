/**
 * Plays tests/cli/transcripts: the output and the exit code of commands. Each case runs in a folder with `tracker.json`,
 * `chat.json` and `noted.json`.
 *
 * The lines of a transcript are:
 * - `@ NAME CONTENT` writes a file. Content that begins with a quote is JSON of the text.
 * - `$ A=b COMMAND < TEXT` runs a command. {node}, {fake} and {here} are the programs of this test and its folder.
 * - `| TEXT` and `! TEXT` must be in lines of stdout and stderr, in this order; … stands for any text. `| none` means no
 *   output. Without `!`, nothing may be on stderr.
 * - `. PATH: VALUE` is a value in the JSON on stdout; `~ PATH: VALUE` is a list in any order. `x TEXT` must not be in the
 * output.
 * - `& NAME: TEXT` is in a file afterwards, as its whole content if it is in quotes; `none` means that there is no file.
 * - `> NAME` writes the output to a file. `= CODE` is the exit code; the default is 0.
 *
 * Control characters must never be printed.
 */

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { CHAT, folder, tool, toolsift, TRACKER } from "./command-line.mjs";

const FOLDER = new URL("transcripts/", import.meta.url);
const FILES = {
  "tracker.json": TRACKER,
  "chat.json": CHAT,
  "noted.json": { tools: [...TRACKER.tools, tool("add_label", "Add a label.")] },
};
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u{e0000}-\u{e007f}]/u;
const PLACES = { node: process.execPath, fake: fileURLToPath(new URL("fake-server.mjs", import.meta.url)) };

/** Whether a file is as a line says: `NAME: TEXT`. */
function isAs(cwd, line) {
  const [, name, text] = /^(.*?): (.*)$/.exec(line);
  const file = join(cwd, name);
  if (text === "none" || !existsSync(file)) return text === "none" && !existsSync(file);
  const content = readFileSync(file, "utf8");
  return /^".*"$/.test(text) ? content === JSON.parse(text) : content.includes(text);
}

/** The words of a command, as a shell reads them without variables. */
const wordsOf = (line) =>
  [...line.matchAll(/(?:"(?:\\.|[^"])*"|'[^']*'|[^\s"'])+/g)].map(([word]) =>
    word.replaceAll(/"((?:\\.|[^"])*)"|'([^']*)'/g, (all, _json, plain) => plain ?? JSON.parse(all)),
  );

/** What stands at a path of some data; `*` maps over a list. */
function valueAt(data, path) {
  const [key, ...rest] = path;
  if (key === undefined || (key === "length" && Array.isArray(data))) return key ? data.length : data;
  return key === "*" ? data?.map((one) => valueAt(one, rest)) : valueAt(data?.[key], rest);
}

/** Whether a text has parts of lines, in their order. */
function hasLines(text, parts) {
  const patterns = parts.map((part) =>
    part
      .split("…")
      .map((one) => one.trim().replaceAll(/\W/g, "\\$&"))
      .join(".*?"),
  );
  return new RegExp(patterns.join("[^]*?")).test(text);
}

/** What is wrong with an answer, line by line. */
function differences({ code, stdout, stderr }, expected) {
  const of = (mark) => expected.filter((line) => line.startsWith(`${mark} `)).map((line) => line.slice(2));
  const [out, told] = [of("|"), of("!")];
  const isPrinted = out[0] === "none" ? stdout === "" : hasLines(stdout, out);
  const isTold = told.length === 0 ? stderr === "" : hasLines(stderr, told);
  const differs = (line, ordered) => {
    const [, path, value] = /^(.*?): (.*)$/.exec(line);
    return !isDeepStrictEqual(ordered(valueAt(JSON.parse(stdout || "{}"), path.split("."))), ordered(JSON.parse(value)));
  };
  const values = [
    ...of(".").filter((line) => differs(line, (list) => list)),
    ...of("~").filter((line) => differs(line, (list) => list?.toSorted())),
  ];
  return [
    ...(code === Number(of("=")[0] ?? 0) ? [] : [`= ${code}`]),
    ...(isPrinted && isTold && values.length === 0 ? [] : [...values, `| ${stdout.slice(0, 2_000)}`, `! ${stderr}`]),
    ...of("x").filter((text) => (stdout + stderr).includes(text)),
    ...(CONTROL.test(stdout + stderr) ? ["a control character is printed"] : []),
    ...(/\n\s+at /.test(stderr) ? ["a trace is printed"] : []),
  ];
}

async function played(lines) {
  const cwd = folder(FILES);
  const text = lines.join("\n").replaceAll(/\{(node|fake|here)\}/g, (_, name) => ({ ...PLACES, here: cwd })[name]);
  const wrong = [];
  for (const step of text.split(/\n(?=[@$] ?)/).filter((one) => /^[@$]/.test(one))) {
    const [first, ...expected] = step.split("\n");
    const [, sign, rest] = /^([@$]) ?(.*)$/.exec(first);
    if (sign === "@") {
      const [, name, content] = /^(\S+) (.*)$/.exec(rest);
      mkdirSync(join(cwd, name, ".."), { recursive: true });
      writeFileSync(join(cwd, name), content.startsWith('"') ? JSON.parse(content) : content);
      continue;
    }
    const [command, input = ""] = rest.split(" < ");
    const words = wordsOf(command);
    const own = words.filter((word) => /^[A-Z_]+=/.test(word)).map((word) => word.split(/=(.*)/s));
    const env = { TOOLSIFT_HOME: join(cwd, "state"), ...Object.fromEntries(own.map(([name, value]) => [name, value])) };
    const answer = await toolsift(words.slice(own.length), { cwd, env, input });
    const files = expected.filter((one) => one.startsWith("& ") && !isAs(cwd, one.slice(2)));
    const found = [...files, ...differences(answer, expected)];
    if (found.length > 0) wrong.push([first, ...found].join("\n"));
    for (const line of expected.filter((one) => one.startsWith("> ")))
      writeFileSync(join(cwd, line.slice(2)), answer.stdout);
  }
  assert.ok(wrong.length === 0, wrong.join("\n\n"));
}

for (const file of readdirSync(FOLDER)) {
  const [, ...cases] = readFileSync(new URL(file, FOLDER), "utf8").split(/^## /m);
  for (const one of cases) {
    const [title, ...lines] = one.split("\n");
    test(`${file.replace(".md", "")}: ${title}`, () => played(lines));
  }
}
