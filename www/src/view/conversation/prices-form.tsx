import { useStore } from "../../app/use-store.ts";
import { DEFAULT_PRICES, type Prices } from "../../model/bill.ts";

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
  return (
    <details class="prices">
      <summary>Prices and what is assumed</summary>
      <div class="prices-body">
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
          Example prices again
        </button>
        <p class="hint">
          The prices are examples. A request’s new tokens are cache writes, but for the last request, which nothing follows.
          Where tools change, the cache loses everything after the change.
        </p>
      </div>
    </details>
  );
}

/** The most that an amount can be: a million dollars, or tokens. */
const MOST = 1_000_000;

function AmountField({ name, label, step }: { name: Amount; label: string; step: string }) {
  const store = useStore();
  return (
    <label class="field">
      <span class="field-name">{label}</span>
      <input
        type="number"
        min="0"
        max={MOST}
        step={step}
        value={store.prices[name]}
        onInput={(event) => {
          const value = event.currentTarget.valueAsNumber;
          if (value >= 0 && value <= MOST) store.setPrices({ ...store.prices, [name]: value });
        }}
      />
    </label>
  );
}
