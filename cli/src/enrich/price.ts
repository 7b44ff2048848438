/** The prices of a model's tokens, in US dollars for a million tokens. */

import { InvalidArgumentError } from "commander";

/** The prices of a million input tokens and a million output tokens, in US dollars. */
export interface Price {
  input: number;
  output: number;
}

const MILLION = 1_000_000;
const MAX_PRICE = 100_000;

/** Parses `INPUT,OUTPUT`, such as `0.15,0.6`. */
export function priceOf(value: string): Price {
  const numbers = value.split(",").map((part) => (/^\s*\d*\.?\d+\s*$/.test(part) ? Number(part) : Number.NaN));
  const [input, output] = numbers as [number, number];
  if (numbers.length === 2 && numbers.every((number) => number <= MAX_PRICE)) return { input, output };
  throw new InvalidArgumentError("It must be two prices in US dollars for a million tokens, such as 0.15,0.6.");
}

/** Returns the cost of tokens, in US dollars. */
export function costOf(price: Price, tokens: { input: number; output: number }): number {
  return (tokens.input * price.input + tokens.output * price.output) / MILLION;
}

/** Formats dollars, such as `US$ 0.012`. Sums below a dollar have two significant digits. */
export function dollars(sum: number): string {
  if (sum > 0 && sum < 0.0001) return "less than US$ 0.0001";
  return `US$ ${sum === 0 || sum >= 1 ? sum.toFixed(2) : sum.toPrecision(2)}`;
}
