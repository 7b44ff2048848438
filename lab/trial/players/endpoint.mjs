/** A model behind an API that is compatible with OpenAI's or Anthropic's. */

import { Problem } from "../../../scripts/lib/run.mjs";

/** The most attempts for one request, and the default pause between them. */
const ATTEMPTS = 5;
const PAUSE_MS = 2_000;
const PATIENCE_MS = 300_000;

/** Returns a player for an API at `url`, such as `https://api.example.com/v1`. A temporarily refused request is repeated. */
export function endpoint({ url, api, key }) {
  const address = `${url.replace(/\/+$/, "")}${api.path}`;
  const headers = { "content-type": "application/json", ...(key && api.headers(key)) };
  return {
    ask: async ({ request }) => {
      for (let attempt = 1; ; attempt += 1) {
        const response = await post(address, headers, request);
        if (response.ok) return response.json();
        const said = (await response.text()).slice(0, 500);
        const isBusy = response.status === 429 || response.status >= 500;
        if (!isBusy || attempt === ATTEMPTS) throw new Problem(`${address} answers ${response.status}: ${said}`);
        const after = Number(response.headers.get("retry-after")) * 1_000;
        await new Promise((done) => setTimeout(done, after > 0 ? after : attempt * PAUSE_MS));
      }
    },
    close: () => {},
  };
}

async function post(address, headers, request) {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    return await fetch(address, { method: "POST", headers, body: JSON.stringify(request), signal });
  } catch (error) {
    throw new Problem(`${address} cannot be reached: ${error.cause?.message ?? error.message}`);
  }
}
