/** Tasks of the older protocol: a call that goes on after its answer, passed through and behind the five tools. */

import assert from "node:assert/strict";
import { test } from "vitest";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { allOrLast } from "../../scripts/lib/full.mjs";
import { folder } from "./command-line.mjs";
import { call, client, opened, said, server } from "./gateways.mjs";
import { config, overHttp, real } from "./processes.mjs";

/** A client of SDK v1, which runs tasks. */
async function older(t, url, answer) {
  const made = new Client({ name: "test", version: "1.0.0" }, { capabilities: { elicitation: {}, tasks: {} } });
  made.setRequestHandler(ElicitRequestSchema, answer);
  await made.connect(new StreamableHTTPClientTransport(new URL(url)));
  t.onTestFinished(() => made.close());
  return made;
}

const ECHO = { action: "accept", content: { interpretation: "technical" } };

for (const activation of allOrLast(["off", "on"])) {
  test(`a task runs to its result, and is listed (activation ${activation})`, async (t) => {
    const home = folder();
    const servers = { everything: real("everything", "stdio"), memory: real("memory") };
    const { url } = await overHttp(t, home, ["--no-token", "--config", config(home, servers), "--activation", activation]);
    let asked = 0;
    const who = await older(t, url, () => (asked++, ECHO));
    const { tools } = await who.listTools();
    const args = { topic: "tides", ambiguous: true };
    const [name, given] =
      activation === "off"
        ? ["simulate-research-query", args]
        : ["call_destructive_tool", { name: "simulate-research-query", arguments: args }];
    assert.match(tools.find((tool) => tool.name === name).execution.taskSupport, /required|optional/);
    const seen = [];
    const ttl = { task: { ttl: 60_000 } };
    for await (const message of who.experimental.tasks.callToolStream({ name, arguments: given }, undefined, ttl)) {
      seen.push(message);
      if (message.type !== "taskCreated") continue;
      assert.match(message.task.taskId, /^everything:/);
      const { tasks } = await who.experimental.tasks.listTasks();
      assert.equal(tasks.map(({ taskId }) => taskId).join(), message.task.taskId);
      const other = await older(t, url, () => ECHO);
      assert.deepEqual((await other.experimental.tasks.listTasks()).tasks, []);
      await assert.rejects(other.experimental.tasks.getTask(message.task.taskId), /there is no task/);
    }
    assert.deepEqual([...new Set(seen.map(({ type }) => type))], ["taskCreated", "taskStatus", "result"]);
    const { result } = seen.at(-1);
    assert.match(said(result), /tides/);
    assert.equal(asked, 1);
    await assert.rejects(who.experimental.tasks.getTask("everything:nothing"));
    await assert.rejects(who.experimental.tasks.getTask("nowhere:1"), /there is no task nowhere:1/);
  });
}

test("where no server has tasks, none are offered, and a call that asks for one is a plain call", async (t) => {
  const open = await opened(t, { plain: server("plain", { ping: {} }) });
  await open.gateway.ready();
  const who = await client(t, open);
  assert.equal(who.getServerCapabilities().tasks, undefined);
  assert.equal((await who.listTools()).tools[0].execution, undefined);
  assert.equal(said(await call(who, "ping")), "plain ran ping");
});
