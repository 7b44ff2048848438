/** The overview as it stands in the built page: painted before any script has run, with the numbers of the opening catalog. */
import { renderToString } from "preact-render-to-string";
import { Store } from "./app/store.ts";
import { StoreContext } from "./app/use-store.ts";
import { Engine } from "./core/engine.ts";
import { readAddress } from "./model/address.ts";
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
