/** Five real processes in one conversation, revealing at once, over Redis and over files: all reveals are there, in one order. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createStorage } from "unstorage";
import fsDriver from "unstorage/drivers/fs";
import redisDriver from "unstorage/drivers/redis";
import { node } from "../../scripts/lib/run.mjs";
import { openRedis } from "./lib/redis.mjs";
import { asSeenAnew, home, LETTERS, scratch } from "./lib/shared.mjs";

const PROGRAM = fileURLToPath(new URL("lib/revealing.mjs", import.meta.url));

/** Runs processes that reveal some letters each, at once, and answers what each of them saw. */
function together(settings, id, all) {
  const from = Date.now() + 1_500;
  const run = async (letters) => {
    const { stdout } = await node(PROGRAM, [JSON.stringify({ ...settings, home, id, letters, from })]);
    return JSON.parse(stdout);
  };
  return Promise.all(all.map(run));
}

const STORAGES = {
  Redis: async () => {
    const redis = await openRedis();
    const storage = createStorage({ driver: redisDriver(redis.client) });
    const close = () => storage.dispose().then(redis.stop);
    return { settings: { driver: "redis", options: redis.client }, storage, close };
  },
  files: () => {
    const base = scratch();
    return { settings: { driver: "fs", options: { base } }, storage: createStorage({ driver: fsDriver({ base }) }) };
  },
};

for (const [name, open] of Object.entries(STORAGES)) {
  describe(name, () => {
    let place;
    before(async () => void (place = await open()));
    after(() => place.close?.());

    test("all reveal at once, and all is there", async () => {
      const { settings, storage } = place;
      const parts = ["abcdefgh", "ijklmno", "pqrst", "uvw", "xyz"].map((text) => [...text]);
      const told = await together(settings, "chat", parts);
      const end = await asSeenAnew(storage, "chat");
      assert.deepEqual([...end].sort(), LETTERS);
      for (const [i, { seen }] of told.entries()) {
        assert.equal(seen.length, parts[i].length);
        assert.ok(
          seen.every((count, turn) => count > (seen[turn - 1] ?? 0)),
          `process ${i} lost some: ${seen}`,
        );
        // In the order in which the process revealed them.
        assert.deepEqual(
          end.filter((letter) => parts[i].includes(letter)),
          parts[i],
        );
      }
      assert.deepEqual(told.find(({ revealed }) => revealed.length === 26)?.revealed, end, "the last to end saw them all");
    });
  });
}
