/**
 * The one way from the page to the core. Workers of the same code: `engine` holds the catalog and the conversations and
 * answers at once; `bench` plays and searches beside it; `workshop` does what takes seconds. All are typed: every method of
 * `Engine`, `Bench` and `Workshop` is here, as a promise.
 */
import { transfer, wrap, type Remote } from "comlink";
import type { Bench } from "./bench.ts";
import type { Engine } from "./engine.ts";
import { sendChangesOnly } from "./sending.ts";
import type { WorkerName } from "./worker.ts";
import type { Workshop } from "./workshop.ts";

export interface Core {
  engine: Remote<Engine>;
  /** Starts with its first use: most visits never need it. */
  bench: () => Remote<Bench>;
  /** Likewise. */
  workshop: () => Remote<Workshop>;
}

export function startCore(): Core {
  sendChangesOnly();
  const engine = wrap<Engine>(start("engine"));
  let bench: Remote<Bench> | null = null;
  let workshop: Remote<Workshop> | null = null;
  // Comlink's own way to open a second end: the engine serves the port, the other worker calls through it.
  const connected = <Other extends { connect: (port: MessagePort) => unknown }>(other: Other): Other => {
    const { port1, port2 } = new MessageChannel();
    void engine.serve(transfer(port1, [port1]));
    void other.connect(transfer(port2, [port2]));
    return other;
  };
  return {
    engine,
    bench: () => (bench ??= connected(wrap<Bench>(start("bench")))),
    workshop: () => (workshop ??= connected(wrap<Workshop>(start("workshop")))),
  };
}

function start(name: WorkerName): Worker {
  return new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name });
}
