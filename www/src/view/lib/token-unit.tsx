import { useState } from "preact/hooks";
import { useStore } from "../../app/use-store.ts";
import { TOKEN_COUNTS } from "../../model/labels.ts";

/** In which unit every number of the page is, and the way to the other one: a tokenizer of a megabyte that most visits do not need. */
export function TokenUnit() {
  const store = useStore();
  const { tokens } = store.snapshot.inForce;
  const [counting, setCounting] = useState(false);
  const exact = tokens === "o200k";
  const change = async () => {
    setCounting(true);
    try {
      await store.run((engine) => engine.change("tokens", exact ? "estimate" : "o200k"));
    } catch (error) {
      store.tell({
        kind: "problem",
        text: `The tokenizer cannot be loaded: ${error instanceof Error ? error.message : error}`,
      });
    }
    setCounting(false);
  };
  return (
    <span class="token-unit">
      Tokens are {TOKEN_COUNTS[tokens]}.{" "}
      <button type="button" class="link" disabled={counting} onClick={() => void change()}>
        {counting ? "Counting …" : exact ? "Estimate again" : "Count exactly"}
      </button>
    </span>
  );
}
