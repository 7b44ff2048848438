/** Token prices per million tokens, and the cost of a request at these prices. */

import { Problem } from "../../scripts/lib/run.mjs";

/** Examples in dollars per million tokens, of an order that readers may know; nobody's price list. */
export const RATES = { input: 3, cached: 0.3, write: 3.75, output: 15 };

/** No vendor is anywhere near; more is a slip of the keyboard. */
const MOST = 1_000_000;

/** The rates of `--rates input=3,cached=0.3`; what is not said stays as it is. */
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

/** What some tokens cost, in dollars where the rates are. New ones are written to the cache where the vendor bills that. */
export const priceOf = ({ cached, fresh, output }, rates, { writes }) =>
  (rates.cached * cached + (writes ? rates.write : rates.input) * fresh + rates.output * output) / 1e6;
