/** Attacks with search words that a server writes to rank higher. */

import assert from "node:assert/strict";
import { examine, findingTexts } from "toolsift/author";
import { test } from "vitest";
import { client, opened, said, search, server } from "../cli/gateways.mjs";

test("words that a server writes for the search are few, whatever it writes, and the doctor shows them", async (t) => {
  const queries = Array.from({ length: 100 }, (_, at) => `please book flight number${at}`);
  const _meta = { "toolsift/search": { keywords: ["x".repeat(200)], queries } };
  const open = await opened(t, { evil: server("evil", { zap: { description: "Zaps", _meta } }) });
  const who = await client(t, open);
  assert.match(said(await search(who, "please book flight number3")), /"name":"zap"/);
  assert.match(said(await search(who, "number99")), /No tool matches/);

  const { findings } = examine(
    [{ server: "evil", tools: [{ name: "zap", description: "Zaps", inputSchema: { type: "object" }, _meta }] }],
    { only: ["suspicious"] },
  );
  const { subject, message } = findingTexts(findings.find(({ level }) => level === "note"));
  assert.equal(subject, "evil: zap");
  assert.match(message, /^its server adds 101 texts for the search: "please book flight number0", /);
});
