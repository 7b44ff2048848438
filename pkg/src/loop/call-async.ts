/** Decides a call of the model after waiting for your program's ranker, for programs that decide calls themselves. */

import { callable, signalIn } from "../base/checks.js";
import { ownFields } from "../base/plain-data.js";
import type { AsyncCallOptions, CallOptions, Outcome, SettingsInfo } from "../types/index.js";
import { type Ranked, ranked, rankOf, warn } from "./rank.js";

interface Called extends Ranked {
  settings: SettingsInfo;
  call(name: string, args?: unknown, options?: CallOptions): Outcome;
}

/** Implements `session.callAsync`. */
export async function callAsync(session: Called, name: string, args: unknown, options: unknown): Promise<Outcome> {
  const { rank, rankTimeoutMs, signal, onProblem = warn, ...turn } = ownFields("options", options ?? {}) as AsyncCallOptions;
  const ranking = rankOf({ rank, rankTimeoutMs }, () => session.settings);
  signalIn("options.signal", signal);
  callable("onProblem", onProblem);
  const choice = await ranked((read) => read(session), { name, args }, ranking, signal);
  signal?.throwIfAborted();
  if (choice?.error !== undefined) onProblem(choice.error);
  return session.call(name, choice?.args ?? args, choice?.scores ? { ...turn, scores: choice.scores } : turn);
}
