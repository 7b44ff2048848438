import { useState } from "preact/hooks";
import { useStore } from "../../app/use-store.ts";
import { DEFAULT_PRICES, MODELS, MOST_AMOUNT, modelOf, type Prices } from "../../model/bill.ts";
import { count } from "../../model/numbers.ts";

type Amount = Exclude<keyof Prices, "cache">;

const RATES: Partial<Record<Amount, string>> = {
  input: "Input",
  cached: "Cached input",
  write: "Cache write",
  output: "Output",
};

const ASSUMED: Partial<Record<Amount, string>> = {
  leastCached: "Shortest beginning that is cached",
  context: "Host’s prompt and earlier messages",
  result: "Result of a tool",
  words: "The model’s words to the user",
};

/** The prices and what is assumed of the host; every figure of the page follows at once. */
export function PricesForm() {
  const store = useStore();
  const { prices } = store;
  const model = modelOf(prices);
  const choose = (name: string) => store.setPrices({ ...prices, ...(MODELS[name]?.rates ?? {}) });
  return (
    <details class="prices">
      <summary>Prices and what is assumed</summary>
      <div class="prices-body">
        <p class="hint">
          Input is everything that a request sends: tools, instructions, and all that was said, called and answered before.
          “In full” is the price with every tool in the request; there the model needs no searches, so those rows have none.
        </p>
        <label class="field">
          <span class="field-name">Prices of</span>
          <select value={model ?? ""} onChange={(event) => choose(event.currentTarget.value)}>
            {model === null && <option value="">your own</option>}
            {Object.keys(MODELS).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <PriceSource />
        <fieldset>
          <legend>Dollars for a million tokens</legend>
          <div class="amounts">
            {(Object.entries(RATES) as [Amount, string][]).map(([name, label]) => (
              <AmountField key={name} name={name} label={label} step="any" />
            ))}
          </div>
        </fieldset>
        <label class="check">
          <input
            type="checkbox"
            checked={prices.cache}
            onChange={(event) => store.setPrices({ ...prices, cache: event.currentTarget.checked })}
          />
          The vendor’s prompt cache is used
        </label>
        <fieldset>
          <legend>Tokens</legend>
          <div class="amounts">
            {(Object.entries(ASSUMED) as [Amount, string][]).map(([name, label]) => (
              <AmountField key={name} name={name} label={label} step="1" />
            ))}
          </div>
        </fieldset>
        <button type="button" class="button small" onClick={() => store.setPrices(DEFAULT_PRICES)}>
          First prices again
        </button>
        <p class="hint">
          A request’s new tokens are cache writes, but for the last request, which nothing follows. Where tools change, the
          cache loses everything after the change.
        </p>
      </div>
    </details>
  );
}

/** Whose prices they are, of when, and where they were read. */
export function PriceSource() {
  const name = modelOf(useStore().prices);
  const model = name === null ? undefined : MODELS[name];
  if (model === undefined) return <span class="hint price-source">At prices of your own.</span>;
  return (
    <span class="hint price-source">
      At the prices of {name}, {model.date}:{" "}
      <a href={model.source} rel="noreferrer">
        {new URL(model.source).hostname}
      </a>
    </span>
  );
}

function AmountField({ name, label, step }: { name: Amount; label: string; step: string }) {
  const store = useStore();
  const value = store.prices[name];
  const [refused, setRefused] = useState<string | null>(null);
  return (
    <label class="field">
      <span class="field-name">{label}</span>
      <input
        type="number"
        min="0"
        max={MOST_AMOUNT}
        step={step}
        value={value}
        aria-invalid={refused !== null}
        onInput={(event) => {
          const typed = event.currentTarget.valueAsNumber;
          const fits = typed >= 0 && typed <= MOST_AMOUNT;
          setRefused(fits ? null : `It is a number from 0 to ${count(MOST_AMOUNT)}; ${value} stays.`);
          if (fits) store.setPrices({ ...store.prices, [name]: typed });
        }}
      />
      {refused && (
        <span class="problem" role="alert">
          {refused}
        </span>
      )}
    </label>
  );
}
