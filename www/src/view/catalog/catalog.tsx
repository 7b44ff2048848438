import { useLayoutEffect, useState } from "preact/hooks";
import { useStore } from "../../app/use-store.ts";
import { Tabs } from "../lib/tabs.tsx";
import { useTab } from "../lib/use-tab.ts";
import { CatalogMap } from "./catalog-map.tsx";
import { Doctor } from "./doctor.tsx";
import { ToolList } from "./tool-list.tsx";

const PARTS = { tools: "Tools", map: "Map", doctor: "Doctor" };

/** What tools there are, what they cost, and what is wrong with them. */
export function Catalog() {
  const store = useStore();
  const { tools } = store.snapshot;
  const { at } = store.place;
  const [part, setPart] = useTab(PARTS);
  const named = part === "tools" ? at : "";
  const [filter, setFilter] = useState(named);
  useLayoutEffect(() => void (named !== "" && setFilter(named)), [named]);
  const showTool = (name: string) => store.showPart({ tab: "", at: name });
  return (
    <section class="catalog-view" aria-labelledby="catalog-title">
      <header class="view-head">
        <h1 id="catalog-title">Catalog &amp; doctor</h1>
        <Tabs name="catalog-part" label="What to show" choices={PARTS} value={part} onChoose={setPart} />
      </header>
      {tools.length === 0 && <p class="card hint">There are no tools here. The first button of the bar brings some.</p>}
      {part === "tools" && tools.length > 0 && <ToolList key={named} named={named} filter={filter} onFilter={setFilter} />}
      {part === "map" && tools.length > 0 && <CatalogMap onTool={showTool} />}
      {part === "doctor" && <Doctor onTool={showTool} />}
    </section>
  );
}
