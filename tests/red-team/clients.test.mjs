/** Attacks of one client of the gateway on another, and of a server on clients that have no part in it. */

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { test } from "vitest";
import { until } from "../cli/command-line.mjs";
import { client, opened, server } from "../cli/gateways.mjs";

test("what becomes of a task is told to the client that began it alone", async (t) => {
  let made;
  const task = {
    taskId: "t1",
    status: "working",
    ttl: 60_000,
    createdAt: new Date().toISOString(),
    lastUpdatedAt: new Date().toISOString(),
  };
  const works = server("works", { work: {} }, (one) => {
    made = one.server;
    made.registerCapabilities({ tasks: { requests: { tools: { call: {} } } } });
    made.setRequestHandler("tools/call", () => ({ task, content: [] }));
  });
  const open = await opened(t, { works });
  await open.gateway.ready();
  const heard = [];
  const hears = (name) => ({
    set: (one) =>
      (one.fallbackNotificationHandler = async ({ method, params }) => heard.push([name, method, params.taskId])),
  });
  const [mine, other] = [await client(t, open, hears("mine")), await client(t, open, hears("other"))];
  const any = { "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) } };
  await other.listTools();
  const params = { name: "call_destructive_tool", arguments: { name: "work" }, task: { ttl: 60_000 } };
  const answer = await mine.request({ method: "tools/call", params }, any);
  assert.equal(answer.task.taskId, "works:t1");
  await made.notification({ method: "notifications/tasks/status", params: task });
  await made.notification({ method: "notifications/tasks/status", params: { ...task, taskId: "t2" } });
  await until(() => heard.length > 0);
  await pause(50);
  assert.deepEqual(heard, [["mine", "notifications/tasks/status", "works:t1"]]);
});
