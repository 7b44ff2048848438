/** Does the proxy keep the contract with OpenAI's and Anthropic's packages for Python, changed in nothing but `base_url`? */

import { contract } from "./lib/contract.mjs";
import { pythonAnthropic, pythonForClients, pythonOpenai, pythonResponses } from "./lib/clients/python.mjs";

const { python, reason } = await pythonForClients();
for (const client of [pythonOpenai, pythonResponses, pythonAnthropic]) {
  contract({ ...client, oneRun: true }, { fetches: false, about: { python }, skip: reason });
}
