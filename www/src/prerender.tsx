/** The overview as it stands in the built page: painted before any script has run, with the numbers of the opening catalog. */
import { renderToString } from "preact-render-to-string";
import { Store } from "./app/store.ts";
import { StoreContext } from "./app/use-store.ts";
import { Engine } from "./core/engine.ts";
import { readAddress } from "./model/address.ts";
import { DEFAULT_PRICES } from "./model/bill.ts";
import { cardOf } from "./model/card.ts";
import { shapesOf, svgOf } from "./model/picture.ts";
import { openingCatalog } from "./model/source.ts";
import { App } from "./view/app.tsx";

/** `read` answers a file of the built page by its address, as `fetch` does in the browser. */
export async function prerender(read: (address: string) => Promise<unknown>): Promise<string> {
  const { snapshot } = await new Engine().start(await openingCatalog(read), readAddress(""));
  return renderToString(
    <StoreContext.Provider value={Store.still(snapshot)}>
      <App />
    </StoreContext.Provider>,
  );
}

/** The picture of the page as SVG: a search of the first conversation has just revealed what it needs; the price is the whole conversation's. */
export async function picture(read: (address: string) => Promise<unknown>, font: string): Promise<string> {
  const engine = new Engine();
  await engine.start(await openingCatalog(read), readAddress(""));
  // With the words that the page adds.
  const { scripts = [] } = (await engine.finish()) ?? {};
  const steps = scripts[0]?.steps ?? [];
  const { tools, current } = engine.take(steps, null, 2);
  const { turns } = engine.take(steps, null, steps.length).current;
  return svgOf(
    shapesOf(cardOf({ tools, size: current.size, turns }, { prices: DEFAULT_PRICES, estimated: true, grade: null })),
    font,
  );
}
