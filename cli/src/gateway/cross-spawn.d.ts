/** Types for the used part of `cross-spawn`. On Windows it also starts `.cmd` files; elsewhere it equals Node's `spawn`. */
declare module "cross-spawn" {
  import type { ChildProcess, SpawnOptions } from "node:child_process";
  export default function spawn(command: string, args: readonly string[], options: SpawnOptions): ChildProcess;
}
