/**
 * The nine conversations of the adapters' contract over one client: with a proxy that it knows nothing of, and without.
 *
 * What the vendor is sent follows the contract of the adapters; what the client keeps is what it would keep without a proxy.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { allOrLast, isFull } from "../../../scripts/lib/full.mjs";
import { add, call, ENTITIES, ISSUE, search } from "../../adapters/lib/calls.mjs";
import { toolsOf } from "../../adapters/lib/tools.mjs";
import { lead, numbered, serveProxy, startVendor, TOOLS } from "./agents.mjs";
import { beside, SINGLE, script } from "./conversations.mjs";

/** The ways to the proxy: by its URL and by a `fetch`. In short, a client that streams takes the one, and another the other. */
const doorsOf = ({ stream }) => (isFull ? ["url", "fetch"] : [stream ? "url" : "fetch"]);

/** Runs the contract over every version and variant of a client, behind a URL, and the newest version with a `fetch` too. */
export function contract(client, { fetches = true, about = {}, skip } = {}) {
  for (const packages of allOrLast(client.versions)) {
    const isNewest = packages === client.versions.at(-1);
    for (const variant of client.variants) {
      for (const door of fetches && isNewest ? doorsOf(variant) : ["url"]) {
        const names = [...Object.values(packages), ...Object.entries(variant).map((pair) => pair.join(" ")), door];
        over(client, { packages, door, ...variant, ...about }, `${client.label} (${names.join(", ")}): `, skip);
      }
    }
  }
}

function over(client, about, label, skip) {
  const run = (options) => lead(client, { ...about, ...options });
  const conversation = (title, body) => test(`${label}${title}`, { skip }, body);

  for (const { title, check, script: sifted, plain, ...options } of SINGLE) {
    conversation(title, async () => {
      const through = await run({ ...options, script: sifted });
      check(through);
      const without = await run({ ...options, script: plain, door: "none" });
      assert.ok(without.requests.every(({ tools }) => tools.length === TOOLS.length));
      assert.deepEqual(numbered(through.messages), numbered(without.messages), "the client keeps what it would keep");
      assert.deepEqual([through.text, through.finish], [without.text, without.finish]);
    });
  }

  conversation("two conversations at once never mix", async () => {
    let waiting = [];
    /** Both take each step together: neither is asked again before the other is. */
    const together = () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        if (waiting.length < 2) return;
        for (const go of waiting) go();
        waiting = [];
      });
    const steps = new Map();
    /** Which of the two speaks, by its first words. */
    const shared = async ({ prompt, body }) => {
      const tool = prompt === "Alpha." ? "create_issue" : "create_entities";
      const args = prompt === "Alpha." ? ISSUE : ENTITIES;
      const step = (steps.get(prompt) ?? 0) + 1;
      steps.set(prompt, step);
      await together();
      return script([add(tool)], [call(tool, args)], [call(tool, args)])(body, step);
    };
    const upstream = await startVendor(client, shared);
    const served = await serveProxy({ upstream: upstream.url });
    try {
      const door = { door: "none", upstream, script: shared, url: served.url };
      const [one, two] = await Promise.all(["Alpha.", "Omega."].map((prompt) => run({ ...door, prompt })));
      for (const [{ ran }, prompt, tool] of [
        [one, "Alpha.", "create_issue"],
        [two, "Omega.", "create_entities"],
      ]) {
        const requests = upstream.requests.filter((request) => request.prompt === prompt);
        assert.deepEqual(beside({ requests }), [[], [tool], [tool], [tool]]);
        assert.deepEqual(
          ran.map(({ name }) => name),
          [tool, tool],
        );
      }
    } finally {
      await served.close();
      await upstream.close();
    }
  });

  conversation("what was called is there in the next run, after a restart too", async (t) => {
    if (about.kept !== undefined) return t.skip("the client keeps no messages");
    if (client.oneRun) return t.skip("this client leads one run");
    const messages = [];
    const both = [[call("create_issue", ISSUE), call("read_graph")], { text: "All done." }, [call("read_graph")]];
    const upstream = await startVendor(client, script([add("create_issue", "read_graph")], ...both));
    try {
      await run({ messages, upstream });
      assert.deepEqual(beside(upstream)[2], ["create_issue", "read_graph"]);
      // The proxy of the second run is another one, which knows the messages alone.
      const again = await run({ messages, upstream, prompt: "Again." });
      assert.deepEqual(beside(upstream).slice(3), [
        ["create_issue", "read_graph"],
        ["create_issue", "read_graph"],
      ]);
      assert.equal(again.text, "All done.");
    } finally {
      await upstream.close();
    }
  });

  conversation("nothing that a request does not bring is found, seen or run", async () => {
    const replies = [
      [search("create an issue in a repository")],
      [add("create_issue")],
      [add("read_graph")],
      [call("read_graph")],
    ];
    const { requests, ran } = await run({ tools: toolsOf("memory"), script: script(...replies) });
    assert.ok(!requests[1].answers[0].includes("create_issue("));
    assert.match(requests[2].answers[0], /create_issue/);
    assert.deepEqual(
      ran.map(({ name }) => name),
      ["read_graph"],
    );
    assert.ok(requests.every(({ tools }) => !tools.includes("create_issue")));
  });

  conversation("a model that makes nothing but calls that cannot run is asked no more than allowed", async () => {
    const broken = [call("search_tools", {}), call("search_tools", { query: 5 }), call("add_tool", { tool_names: 7 })];
    const early = ["read_graph", "open_nodes", "search_nodes", "delete_relations"];
    const hostile = ({ tools }, step) =>
      tools.includes("search_tools") ? { calls: [call(early[step - 1]), ...broken] } : { text: "I give up." };
    const { requests, ran, text } = await run({ script: hostile, options: { maxRounds: 4 } });
    assert.equal(text, "I give up.");
    assert.equal(requests.length, 5);
    assert.deepEqual(ran, []);
    const [, { answers }] = requests;
    assert.equal(answers.length, 4, "each call is answered");
    assert.match(answers[0], /was not loaded/);
    assert.match(answers[1], /query/);
    assert.match(answers[3], /tool_names/);
  });

  conversation("events tell of searches, reveals and requests", async () => {
    const events = [];
    const onEvent = (event) => void events.push(event);
    const replies = [[search("create an issue in a repository")], [call("create_issue", ISSUE)]];
    await run({ script: script(...replies), options: { onEvent } });
    assert.deepEqual(events.map(({ type }) => type).slice(0, 2), ["search", "reveal"]);
    const ended = events.filter(({ type }) => type === "request");
    assert.deepEqual(
      ended.map(({ outcome, requests }) => [outcome, requests]),
      [
        ["done", 2],
        ["done", 1],
      ],
    );
    for (const { full, sent, ms, stream } of ended) {
      assert.ok(full.tools === 62 && sent.tokens < full.tokens && ms >= 0);
      assert.equal(stream, about.stream);
    }
    assert.ok(!JSON.stringify(events).includes('none"'), "no key is told");
  });
}
