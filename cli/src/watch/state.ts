/** What there is to see: running gateways, quarantined tools with their differences, what is switched off, and the counters. */

import pc from "picocolors";
import { type FigureTotals, readFigures } from "./figures.js";
import { approve, type Waiting, waitingForApproval } from "../trust/approval.js";
import { printed } from "../trust/difference.js";
import { pinFolder, watchPins } from "../trust/store.js";
import { type Running, runningGateways, watching } from "./running.js";
import { readSwitches, type Switches } from "./switches.js";

/** A tool that waits for approval. `hash` says which definition was shown. */
export interface Quarantined {
  server: string;
  tool: string;
  hash: string;
  seen: string;
  /** What differs, as lines: those of the earlier definition begin with `    - `, those of the new one with `    + `. */
  difference: string;
  findings: { where: string; detail: string }[];
  isIncomplete: boolean;
}

/** Everything. */
export interface State {
  gateways: Running[];
  quarantined: Quarantined[];
  off: Switches;
  figures: FigureTotals;
  problems: string[];
}

/** Follows what gateways do. */
export interface Watch {
  state(): Promise<State>;
  /** Approves a definition as it was shown. Returns whether it was still that one. */
  approve(server: string, tool: string, hash: string): Promise<boolean>;
  close(): void;
}

const PLAIN = pc.createColors(false);

/** Begins to watch: gateways tell what happens until `close`. */
export async function watch(): Promise<Watch> {
  const end = watching();
  let waiting: Waiting[] = [];
  let problems: string[] = [];
  const read = async () => {
    ({ waiting, problems } = await waitingForApproval());
  };
  await read();
  // Files of pins are large: they are read when they change.
  const unwatch = watchPins(pinFolder(), read);
  return {
    async state() {
      const [gateways, off, figures] = await Promise.all([runningGateways(), readSwitches(), readFigures()]);
      return { gateways, quarantined: waiting.map(quarantinedOf), off, figures, problems };
    },
    async approve(server, tool, hash) {
      const shown = waiting.filter((one) => one.server === server && one.tool === tool && one.hash === hash);
      const approved = shown.length > 0 ? await approve(shown) : [];
      await read();
      return approved.length > 0;
    },
    close() {
      end();
      unwatch();
    },
  };
}

function quarantinedOf({ server, tool, hash, seen, changes, findings, incomplete }: Waiting): Quarantined {
  return { server, tool, hash, seen, difference: printed(changes, PLAIN), findings, isIncomplete: incomplete };
}
