/** Runs before the tests: makes a folder for all files of the tests and their processes, and removes it at the end. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export default function setUp() {
  // Once for all projects. Its name is short: messages cut long paths.
  if (process.env.TOOLSIFT_RUN !== undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "ts-"));
  Object.assign(process.env, { TOOLSIFT_RUN: folder, TMPDIR: folder, TEMP: folder });
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
