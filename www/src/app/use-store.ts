import { createContext } from "preact";
import { useContext, useLayoutEffect, useState } from "preact/hooks";
import type { Store } from "./store.ts";

export const StoreContext = createContext<Store | null>(null);

/** The store; the component is drawn again whenever it changed. */
export function useStore(): Store {
  const store = useContext(StoreContext);
  if (store === null) throw new Error("no store around this component");
  const [, setVersion] = useState(0);
  useLayoutEffect(() => store.subscribe(() => setVersion((version) => version + 1)), [store]);
  return store;
}
