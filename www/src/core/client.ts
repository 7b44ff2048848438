/** The page's access to its worker: each method of `worker.ts`, as a promise. */
import type { methods } from "./worker.ts";

export type Core = typeof methods;

/** Starts the worker. Requests before it is ready are answered as soon as it is ready. */
export function startCore(): Core {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let asked = 0;
  worker.addEventListener(
    "message",
    ({ data: [number, value, problem] }: MessageEvent<[number, unknown, string | null]>) => {
      const { resolve, reject } = waiting.get(number) ?? {};
      waiting.delete(number);
      if (problem === null) resolve?.(value);
      else reject?.(new Error(problem));
    },
  );
  worker.addEventListener("error", () => {
    for (const { reject } of waiting.values()) reject(new Error("the core of the page could not be started"));
  });
  const ask = (method: string, args: unknown[]) =>
    new Promise((resolve, reject) => {
      waiting.set(++asked, { resolve, reject });
      worker.postMessage([asked, method, args]);
    });
  const names = ["sample", "linked", "take", "keep", "kept", "play", "opened", "why"] satisfies (keyof Core)[];
  return Object.fromEntries(names.map((name) => [name, (...args: unknown[]) => ask(name, args)])) as unknown as Core;
}
