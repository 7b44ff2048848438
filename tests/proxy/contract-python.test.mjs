/** Does the proxy keep the contract with OpenAI's and Anthropic's packages for Python, changed in nothing but `base_url`? */

import { allOrLast } from "../../scripts/lib/full.mjs";
import { contract } from "./lib/contract.mjs";
import { pythonAnthropic, pythonForClients, pythonOpenai, pythonResponses } from "./lib/clients/python.mjs";

const { python, reason } = await pythonForClients();
for (const client of [pythonOpenai, pythonResponses, pythonAnthropic]) {
  contract(
    { ...client, variants: allOrLast(client.variants), oneRun: true },
    { fetches: false, about: { python }, skip: reason },
  );
}
