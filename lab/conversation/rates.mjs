/** Token prices per million tokens, and the cost of a request at these prices. */

import { Problem } from "../../scripts/lib/run.mjs";

/** Example prices in dollars per million tokens, of a usual size. They are not the prices of a vendor. */
export const RATES = { input: 3, cached: 0.3, write: 3.75, output: 15 };

/** The highest accepted price. A higher one is a typing error. */
const MOST = 1_000_000;

/** Parses rates such as `input=3,cached=0.3`. Missing rates keep their defaults. */
export function ratesOf(text) {
  const rates = { ...RATES };
  if (text === undefined) return rates;
  const said = new Set();
  const refuse = (why) => {
    throw new Problem(`--rates ${text}: ${why}`);
  };
  for (const part of text.split(",")) {
    const [, key, value] = /^\s*([^=]*?)\s*=\s*(.*?)\s*$/.exec(part) ?? [];
    const named = JSON.stringify(key);
    if (key === undefined) refuse(`${JSON.stringify(part)} is not of the form input=3`);
    if (!Object.hasOwn(RATES, key)) refuse(`there is no rate ${named}; there are ${Object.keys(RATES).join(", ")}`);
    if (said.has(key)) refuse(`${key} is said twice`);
    const right = /^\d+(\.\d+)?$/.test(value) && Number(value) <= MOST;
    if (!right) refuse(`${key} must be a number from 0 to ${MOST}, such as ${RATES[key]}, not ${JSON.stringify(value)}`);
    said.add(key);
    rates[key] = Number(value);
  }
  return rates;
}

/** Returns the price of tokens. With `writes`, new tokens cost the rate for writing to the cache. */
export const priceOf = ({ cached, fresh, output }, rates, { writes }) =>
  (rates.cached * cached + (writes ? rates.write : rates.input) * fresh + rates.output * output) / 1e6;
