/**
 * Reads the command line of the benchmark: the catalog sizes, the libraries, the kinds of queries, and the number of rounds.
 */

import { numberOf, options } from "../../scripts/lib/options.mjs";
import { PEERS } from "./speed/peers.mjs";
import { KINDS } from "./speed/queries.mjs";

const SIZES = [100, 1_000, 10_000, 100_000];
/** The highest limit on tools that the Rust library accepts. */
const MOST_TOOLS = 200_000;
const LEAST_TOOLS = 10;
const MOST_RUNS = 1_000;

export const HELP = `npm run bench [-- --sizes N,N] [-- --peers NAME,NAME] [-- --kinds NAME,NAME] [-- --runs N]
                  [-- --json] [-- --update]

Measures what a host waits for, each library in fresh processes, in turn, on tools that are made the same on every run.
Prints milliseconds and multiples of toolsift's figures.
  --sizes N,N    numbers of tools; default ${SIZES.join(",")}
  --peers NAMES  the libraries beside toolsift, or none; default all:
                 ${Object.keys(PEERS).join(", ")}
  --kinds NAMES  the kinds of queries; default all: ${Object.keys(KINDS).join(", ")}
  --runs N       rounds, each with a fresh process for every library; default 3 for up to 1,000 tools, 2 for up to
                 10,000, and 1 for more
  --json         prints the figures for programs
  --update       writes the multiples into lab/REPORT.md`;

const FLAGS = {
  sizes: { type: "string" },
  peers: { type: "string" },
  kinds: { type: "string" },
  runs: { type: "string" },
  json: { type: "boolean" },
  update: { type: "boolean" },
};

/** Returns the options of the command line. An invalid value ends the program and prints the help. */
export function benchOptions() {
  const given = options(FLAGS, HELP);
  try {
    return {
      sizes: given.sizes === undefined ? SIZES : sizesOf(given.sizes),
      peers: given.peers === "none" ? [] : chosenOf("--peers", given.peers, Object.keys(PEERS), ["none"]),
      kinds: chosenOf("--kinds", given.kinds, Object.keys(KINDS)),
      runs: given.runs === undefined ? undefined : numberOf("runs", given.runs, 1, MOST_RUNS),
      json: given.json === true,
      update: given.update === true,
    };
  } catch (error) {
    console.error(`${error.message}\n\n${HELP}`);
    process.exit(2);
  }
}

function sizesOf(text) {
  const sizes = text.split(",").map((one) => numberOf("sizes", one, LEAST_TOOLS, MOST_TOOLS));
  return [...new Set(sizes)].sort((a, b) => a - b);
}

function chosenOf(flag, text, all, also = []) {
  if (text === undefined) return all;
  const asked = text.split(",").map((name) => name.trim());
  const unknown = asked.find((name) => !all.includes(name));
  if (unknown === undefined) return all.filter((name) => asked.includes(name));
  throw new Error(`${flag} has no ${JSON.stringify(unknown)}; there are ${[...all, ...also].join(", ")}`);
}
