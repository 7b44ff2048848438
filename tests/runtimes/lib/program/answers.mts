/** Carries out the steps of the script with the package; each answer is a line of JSON. */

import type {
  RestoreOptions,
  Session,
  SessionOptions,
  Snapshot,
  ToolSift as Sift,
  ToolSiftError,
  ToolSiftOptions,
} from "toolsift";

/** One step, as `script/steps.mjs` writes it. */
export interface Step {
  do: string;
  args: unknown[];
  session?: string;
  child?: string;
  options?: SessionOptions;
  counter?: "utf16";
}

/** A counter that sees a text as JavaScript keeps it; natively it counts the same. */
const COUNTERS = { utf16: (text: string) => text.length };

/** The catalog of the present step, and children by their ids: only their handles lead to them. */
interface State {
  sift: Sift;
  children: Map<string, Session>;
}

/** One line of JSON for every step. */
export function answers(ToolSift: typeof Sift, steps: readonly Step[]): string[] {
  const state: State = { sift: new ToolSift(), children: new Map() };
  return steps.map((step) => JSON.stringify(answer(ToolSift, state, step)));
}

function answer(ToolSift: typeof Sift, state: State, step: Step): unknown {
  try {
    return perform(ToolSift, state, step) ?? null;
  } catch (error) {
    const { code, message, alias } = error as ToolSiftError;
    // An error without a code is none of the package's, and must not pass as an answer.
    if (code === undefined) throw error;
    return { error: alias === undefined ? { code, message } : { code, message, alias } };
  }
}

function perform(ToolSift: typeof Sift, state: State, step: Step): unknown {
  const { do: method, args, session, child, options, counter } = step;
  switch (method) {
    case "version":
      return ToolSift.version;
    case "profiles":
      return ToolSift.profiles();
    case "new": {
      const wanted = args[0] as ToolSiftOptions;
      state.sift = new ToolSift(counter === undefined ? wanted : { ...wanted, countTokens: COUNTERS[counter] });
      return state.sift.settings;
    }
    case "exportIndex":
      return sumOf(state.sift.exportIndex());
    case "fromIndex":
      state.sift = ToolSift.fromIndex(state.sift.exportIndex(), args[0] as ToolSiftOptions);
      return state.sift.settings;
    case "restore": {
      const { session: opened, missing } = state.sift.restore(args[0] as Snapshot, args[1] as RestoreOptions | undefined);
      return { id: opened.id, missing };
    }
    case "child": {
      const opened = state.sift.session(session!, options).child(...(args as Parameters<Session["child"]>));
      state.children.set(opened.id, opened);
      return opened.id;
    }
  }
  const opened = child === undefined ? undefined : state.children.get(child);
  const target: object = opened ?? (session === undefined ? state.sift : state.sift.session(session, options));
  const member: unknown = Reflect.get(target, method, target);
  return typeof member === "function" ? Reflect.apply(member, target, args) : member;
}

/** What stands for many bytes: how many there are, and a checksum (FNV-1a). */
function sumOf(bytes: Uint8Array): { bytes: number; sum: number } {
  const sum = bytes.reduce((sum, byte) => Math.imul(sum ^ byte, 0x01000193) >>> 0, 0x811c9dc5);
  return { bytes: bytes.length, sum };
}
