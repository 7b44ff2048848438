/** An upstream in this process that answers requests from a script and records them. */

/** A `fetch` that answers each request with the next step of the script: a response, or a function that makes one. */
export function scripted(...steps) {
  const sent = [];
  const fetch = async (url, { body: given, method = "GET", headers, signal } = {}) => {
    const text = given === undefined ? undefined : await new Response(given).text();
    const request = { url: String(url), method, headers: new Headers(headers), text, body: parsed(text), signal };
    sent.push(request);
    const step = steps[sent.length - 1];
    if (step === undefined) throw new Error(`the script has ${steps.length} steps; this is request ${sent.length}`);
    return typeof step === "function" ? step(request) : step;
  };
  return { fetch, sent };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const json = (value, init = {}) => Response.json(value, init);
