/** Tests the same behaviour in every storage: memory, files, a real Redis, Cloudflare's KV. */

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import Redis from "ioredis";
import { createStorage } from "unstorage";
import kvDriver from "unstorage/drivers/cloudflare-kv-binding";
import fsDriver from "unstorage/drivers/fs";
import fsLiteDriver from "unstorage/drivers/fs-lite";
import redisDriver from "unstorage/drivers/redis";
import { openKv } from "./lib/kv.mjs";
import { openRedis } from "./lib/redis.mjs";
import { asSeenAnew, fileStore, processOn, redisStore, scratch } from "./lib/shared.mjs";

/** Ids that mean something to some driver, file system, pattern or parser; each must be a session of its own. */
const HOSTILE = [
  ...["a:b", "a/b", "a\\b", "a b", "a", "A", "a:", ":a", "a::b", "..", ".", "../a", "a/../b", "*", "a*", "a?"],
  ...["a?b=c", "a#b", "[a]", "a$", "$", "%2e%2e", "a%3Ab", "con", "NUL", "node_modules", ".git", "__proto__"],
  ...["constructor", "id-a", "hash-a", "~", "-", "_", "\u0000", "a\nb", "é", "e\u0301", "日本語", "👩‍👩‍👧", "İ", "ß"],
  ...["ſ", " ", "a ", "a.", "null", "0", "x".repeat(256), `${"x".repeat(255)}y`, "X".repeat(256), "語".repeat(256)],
  ...["👩".repeat(256)],
];

/** Files in a folder, beside which nothing may be written. */
function inFolder(open) {
  const base = scratch();
  const folder = join(base, "in");
  const keys = () => createStorage({ driver: fsDriver({ base: folder }) }).getKeys();
  return { open: () => open(folder), keys, close: () => assert.deepEqual(readdirSync(base), ["in"]) };
}

/** The same client as node-redis has it, with its commands in upper case, and as `@upstash/redis` has it, which parses JSON. */
const AS = {
  ioredis: (client) => client,
  redis: (client) => ({
    ...Object.fromEntries(
      ["get", "set", "setex", "del"].map((name) => [name.toUpperCase(), (...args) => client[name](...args)]),
    ),
    EVAL: (script, { keys, arguments: values }) => client.eval(script, keys.length, ...keys, ...values),
  }),
  upstash: (client) => ({
    ...Object.fromEntries(["set", "setex", "del"].map((name) => [name, (...args) => client[name](...args)])),
    get: async (key) => JSON.parse(await client.get(key)),
    eval: (script, keys, values) => client.eval(script, keys.length, ...keys, ...values),
  }),
};

/**
 * What a driver must bring: `open` for a storage that keeps the same things however often it is opened. One that `compares` loses
 * nothing of two processes that write at the same moment; with others, each has to use the session once more.
 */
const DRIVERS = {
  memory: () => {
    const storage = createStorage();
    return { open: () => storage, keys: () => storage.getKeys() };
  },
  files: () => inFolder((base) => createStorage({ driver: fsDriver({ base }) })),
  "files, the light driver": () => inFolder((base) => createStorage({ driver: fsLiteDriver({ base }) })),
  "files of our own": () => ({ ...inFolder(fileStore), compares: true }),
  "Redis of our own": async () => {
    const redis = await openRedis();
    const client = new Redis(redis.client);
    const close = async () => (client.disconnect(), redis.stop());
    const forms = Object.values(AS);
    let times = 0;
    const open = () => redisStore(forms[times++ % forms.length](client));
    return { open, close, keys: () => client.keys("*"), left: (key) => client.ttl(key), compares: true };
  },
  "Redis, the driver": async () => {
    const redis = await openRedis();
    const storages = [];
    const open = () => {
      const storage = createStorage({ driver: redisDriver({ ...redis.client, base: "app", scanCount: 1_000 }) });
      storages.push(storage);
      return storage;
    };
    const client = new Redis(redis.client);
    const close = async () => {
      for (const storage of storages) await storage.dispose();
      client.disconnect();
      await redis.stop();
    };
    return { open, close, keys: () => client.keys("*"), left: (key) => client.ttl(key) };
  },
  "Cloudflare KV": async () => {
    const { binding, close } = await openKv();
    const open = () => createStorage({ driver: kvDriver({ binding }) });
    const all = async () => (await binding.list()).keys;
    const left = async (key) => {
      const { expiration } = (await all()).find(({ name }) => name === key);
      return expiration - Date.now() / 1_000;
    };
    return { open, close, left, keys: async () => (await all()).map(({ name }) => name) };
  },
};

for (const [name, make] of Object.entries(DRIVERS)) {
  describe(name, () => {
    let driver;
    beforeAll(async () => void (driver = await make()));
    afterAll(() => driver.close?.());

    test("what is saved is there for the next process, and one record is left", async () => {
      for (const letter of ["c", "a", "b"]) {
        await processOn(driver.open()).store.use("chat", (session) => session.reveal([letter]));
      }
      assert.deepEqual(await asSeenAnew(driver.open(), "chat"), ["c", "a", "b"]);
      assert.equal((await driver.keys()).length, 1);
    });

    test("two at once lose nothing", async () => {
      const all = [processOn(driver.open()), processOn(driver.open())];
      const loop = async ({ store }, letters) => {
        for (const letter of letters) await store.use("both", (session) => session.reveal([letter]));
      };
      await Promise.all([loop(all[0], "abcdefgh"), loop(all[1], "stuvwxyz")]);
      if (!driver.compares) for (const { store } of [...all, all[0]]) await store.use("both", () => {});
      const first = await asSeenAnew(driver.open(), "both");
      assert.equal([...first].sort().join(""), "abcdefghstuvwxyz");
      for (const { store } of all) assert.deepEqual((await store.open("both")).revealed, first);
    });

    test("hostile ids are sessions like others", async () => {
      assert.equal(new Set(HOSTILE).size, HOSTILE.length);
      const before = await driver.keys();
      const { store } = processOn(driver.open(), { store: { prefix: "app:hostile-ids" } });
      // Each holds tools that tell it from all others.
      const letters = (i) => [
        String.fromCharCode(97 + (i % 26)),
        String.fromCharCode(97 + ((i + 1 + Math.floor(i / 26)) % 26)),
      ];
      for (const [i, id] of HOSTILE.entries()) await store.use(id, (session) => session.reveal(letters(i)));
      const anew = processOn(driver.open(), { store: { prefix: "app:hostile-ids" } }).store;
      for (const [i, id] of HOSTILE.entries()) assert.deepEqual((await anew.open(id)).revealed, letters(i), id);
      const added = (await driver.keys()).filter((key) => !before.includes(key));
      assert.equal(added.length, HOSTILE.length);
      for (const key of added) assert.match(key, /^(app:)?app:hostile-ids:(id|hash)-[0-9a-z._-]+$/);
      assert.ok(added.every((key) => key.length < 300 && key.split(":").every((part) => part.length < 200)));
      assert.equal(new Set(added.map((key) => key.toLowerCase())).size, HOSTILE.length);

      for (const [i, id] of HOSTILE.entries()) if (i % 2 === 0) await anew.delete(id);
      const third = processOn(driver.open(), { store: { prefix: "app:hostile-ids" } }).store;
      for (const [i, id] of HOSTILE.entries()) {
        assert.deepEqual((await third.open(id)).revealed, i % 2 === 0 ? [] : letters(i), `${id} after others were deleted`);
      }
      assert.deepEqual(await asSeenAnew(driver.open(), "chat"), ["c", "a", "b"]);
    });

    test("the storage knows how long", async (t) => {
      if (driver.left === undefined) return t.skip("this driver does not end what it keeps; the records do");
      const earlier = new Set(await driver.keys());
      for (const [id, ttl] of [
        ["day", 86_400],
        ["short", 5],
        ["ever", 0],
      ]) {
        await processOn(driver.open(), { store: { ttl } }).store.use(id, (session) => session.reveal(["a"]));
        const key = (await driver.keys()).find((one) => !earlier.has(one));
        earlier.add(key);
        const left = await driver.left(key);
        // KV keeps nothing for less than a minute, and has no expiry where Redis answers -1.
        if (ttl === 86_400) assert.ok(left > 86_000 && left <= 86_401, `${left} s left of a day`);
        else if (ttl === 5) assert.ok(left > 0 && left <= 61, `${left} s left of five`);
        else assert.ok(left === -1 || Number.isNaN(left), `${left} s left of all time`);
      }
    });
  });
}
