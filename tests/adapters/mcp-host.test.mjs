/** Tests that a throwing listener and a disposed catalog do not end the process. */

import assert from "node:assert/strict";
import { test } from "vitest";
import { ECHO, SDKS, pair, until } from "./lib/mcp.mjs";

for (const sdk of SDKS) {
  const label = `toolsift/mcp (${sdk.label}): `;
  const opened = (options) => pair(sdk, options);

  test(`${label}neither a listener that throws nor a catalog that is no more ends anything`, async () => {
    let told = 0;
    const { servers, sift, a, b } = await opened({
      onChange: () => {
        if (++told % 2 === 0) return Promise.reject(new Error("mine, later"));
        throw new Error("mine");
      },
    });
    assert.equal(told, 2);
    sift.dispose();
    a.wire.change();
    await until("read", () => a.wire.count("tools/list") === 2);
    await until("told", () => servers.status()[0].error !== null);
    assert.match(servers.status()[0].error, /dispose/);
    await b.wire.close();
    await until("closed", () => servers.status()[1].state === "closed");
    assert.equal((await servers.execute(ECHO)).content[0].text, "one ran");
    await servers.close();
  });
}
