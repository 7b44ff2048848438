/**
 * Does a tool list that never changes (`surface: "constant"`) work over every adapter?
 *
 * 1. Every request of a conversation has the same tools, in the same order. 2. The host's `execute` and the events are told of
 * the real tool and its arguments. 3. A call through the tool of a smaller effect, one of no tool, and one by the tool's own
 * name run nothing, and are told the way. 4. A call that fails is told to the model. 5. The session reveals nothing.
 * 6. Nothing outside the session's scope is shown or run.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { allOrLast } from "../../scripts/lib/full.mjs";
import { allDrives } from "./lib/all.mjs";
import { appWith } from "./lib/app.mjs";
import { call, ISSUE, search } from "./lib/calls.mjs";
import { script } from "./lib/contract.mjs";
import { host, pluck, siftOf } from "./lib/tools.mjs";

const SURFACE = ["search_tools", "call_read_only_tool", "call_tool", "call_destructive_tool"];
const through = (caller, name, args) => call(caller, { name, arguments: args });

// With a vendor's hosted search, the session's own discovery tools are not sent.
for (const drive of (await allDrives()).filter(({ road }) => !road.includes("hosted"))) {
  for (const packages of allOrLast(drive.versions)) {
    const label = `${drive.adapter}, ${drive.road} (${Object.values(packages).join(", ")}): `;

    async function agent({ answer, ...options }) {
      const app = await appWith(packages);
      const sift = await siftOf(app, { surface: "constant" });
      const { execute, ran } = host(answer);
      return { sift, ran, ...(await drive.converse({ app, sift, id: "chat", prompt: "Go on.", execute, ...options })) };
    }

    // Where the vendor's own search gives the tools, the list is constant already.
    if (drive.road.includes('toolSearch: "client"')) {
      test(`${label}refused`, () => assert.rejects(agent({ script: script() }), { code: "option_conflict" }));
      continue;
    }

    test(`${label}the list stays as it is, and the host sees the real tools`, async () => {
      const replies = [
        [search("create an issue in a repository")],
        [through("call_destructive_tool", "create_issue", ISSUE)],
        [through("call_read_only_tool", "read_text_file", { path: "a.txt" }), through("call_tool", "create_issue", ISSUE)],
        [through("call_tool", "no_such_tool", {}), call("create_issue", ISSUE)],
      ];
      const events = [];
      const onEvent = (event) => events.push(event);
      const { sift, requests, ran, finish } = await agent({ script: script(...replies), onEvent });
      assert.deepEqual(pluck(requests, "tools"), Array(replies.length + 1).fill(SURFACE));
      const shown = /^\{"name":"create_issue".*$/m.exec(requests[1].answers[0]);
      assert.equal(JSON.parse(shown[0]).call_with, "call_destructive_tool", "the server does not say what it does");
      assert.deepEqual(requests[2].answers, ["github/create_issue did it"]);
      assert.equal(requests[3].answers[0], "filesystem/read_text_file did it");
      assert.match(requests[3].answers[1], /create_issue may do more .*Call it with call_destructive_tool/);
      assert.match(requests[4].answers[0], /no_such_tool/);
      assert.doesNotMatch(requests[4].answers[0], /before/, "asking whether it must be approved is no call");
      assert.match(requests[4].answers[1], /create_issue/);
      assert.deepEqual(ran, [
        { server: "github", name: "create_issue", args: ISSUE },
        { server: "filesystem", name: "read_text_file", args: { path: "a.txt" } },
      ]);
      const dispatched = events.filter(({ type }) => type === "dispatch").map(({ server, name }) => `${server}/${name}`);
      assert.deepEqual(dispatched, ["github/create_issue", "filesystem/read_text_file"]);
      assert.deepEqual(sift.session("chat").revealed, []);
      assert.equal(finish, "done");
    });

    test(`${label}a call that fails is told, and a scope holds`, async () => {
      const answer = () => {
        throw new Error("the graph is locked");
      };
      const replies = [
        [through("call_destructive_tool", "read_graph", {}), search("create an issue in a repository")],
        [through("call_destructive_tool", "create_issue", ISSUE)],
      ];
      const scope = { servers: ["memory"] };
      const { requests, ran } = await agent({ script: script(...replies), answer, scope });
      assert.match(requests[1].answers[0], /the graph is locked/);
      assert.ok(!requests[1].answers[1].includes('"create_issue"'), requests[1].answers[1]);
      assert.match(requests[2].answers[0], /no tool named/);
      assert.deepEqual(pluck(ran, "name"), ["read_graph"]);
    });
  }
}
