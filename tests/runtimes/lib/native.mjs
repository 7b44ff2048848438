/** Gets the answers of the native Rust library, with which every runtime is compared. */

import { spawn } from "node:child_process";
import { at } from "../../../scripts/lib/paths.mjs";
import { run } from "../../../scripts/lib/run.mjs";

/** The program that asks it, built. */
export async function nativeProgram({ release = false } = {}) {
  await run("cargo", ["build", "--locked", "--example", "answers", ...(release ? ["--release"] : [])]);
  const exe = process.platform === "win32" ? ".exe" : "";
  const target = process.env.CARGO_TARGET_DIR || at("target");
  return `${target}/${release ? "release" : "debug"}/examples/answers${exe}`;
}

/** The steps that inputs of the fuzzer stand for, one file after the other. */
export async function stepsOf(files) {
  return JSON.parse((await run(await nativeProgram(), files)).stdout);
}

/** The lines that it answers, one for every step. */
export async function nativeAnswers(steps) {
  return (await told(await nativeProgram(), [], steps)).trimEnd().split("\n");
}

/** What the program prints for some input. */
export async function told(program, args, input) {
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (more) => (text += more));
  child.stdin.end(JSON.stringify(input));
  const code = await new Promise((resolve, reject) => child.on("close", resolve).on("error", reject));
  if (code !== 0) throw new Error(`the native library's program ended with ${code}`);
  return text;
}
