import { useStore } from "../../app/use-store.ts";
import { Tabs } from "../lib/tabs.tsx";
import { useTab } from "../lib/use-tab.ts";
import { Evaluation } from "./evaluation.tsx";
import { SideBySide } from "./side-by-side.tsx";

const PARTS = { query: "One query", many: "Many queries" };

/** Does the search find the right tool? For one query as it is typed, or for many at once. */
export function SearchLab() {
  const store = useStore();
  const [part, setPart] = useTab(PARTS);
  return (
    <section class="lab" aria-labelledby="search-title">
      <header class="view-head">
        <h1 id="search-title">Search lab</h1>
        <Tabs name="lab" label="What to search" choices={PARTS} value={part} onChoose={setPart} />
      </header>
      {part === "query" ? (
        <SideBySide />
      ) : (
        <Evaluation
          onTry={(query) => {
            store.ask(query);
            setPart("query");
          }}
        />
      )}
    </section>
  );
}
