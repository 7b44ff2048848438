/** What there is to see: running gateways, tools that wait for approval, and the counters. */

import { waitingForApproval } from "../trust/approval.js";
import { pinFolder, watchPins } from "../trust/store.js";
import { type FigureTotals, readFigures } from "./figures.js";
import { type Running, runningGateways, watching } from "./running.js";

/** Everything. */
export interface State {
  gateways: Running[];
  quarantined: { server: string; tool: string }[];
  figures: FigureTotals;
  problems: string[];
}

/** Follows what gateways do. */
export interface Watch {
  state(): Promise<State>;
  close(): void;
}

/** Begins to watch: gateways tell what happens until `close`. */
export async function watch(): Promise<Watch> {
  const end = watching();
  let { waiting, problems } = await waitingForApproval();
  // Files of pins are large: they are read when they change.
  const unwatch = watchPins(pinFolder(), async () => void ({ waiting, problems } = await waitingForApproval()));
  return {
    async state() {
      const [gateways, figures] = await Promise.all([runningGateways(), readFigures()]);
      return { gateways, quarantined: waiting.map(({ server, tool }) => ({ server, tool })), figures, problems };
    },
    close() {
      end();
      unwatch();
    },
  };
}
