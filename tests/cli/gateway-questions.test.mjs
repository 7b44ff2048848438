/**
 * Tests messages between servers and clients other than answers: questions, progress, logs, cancellation, resources,
 * prompts.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { fromJsonSchema, ResourceTemplate } from "@modelcontextprotocol/server";
import { until } from "./command-line.mjs";
import { call, client, greet, object, opened, said, server, text } from "./gateways.mjs";

const elicits = (answer) => ({
  capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
  set: (made) => {
    made.setRequestHandler("elicitation/create", answer);
    made.setRequestHandler("sampling/createMessage", () => ({
      model: "m",
      role: "assistant",
      content: { type: "text", text: "sampled" },
    }));
    made.setRequestHandler("roots/list", () => ({ roots: [{ uri: "file:///home" }] }));
  },
});
const ada = () => ({ action: "accept", content: { name: "Ada" } });
const WHO = { message: "Who?", requestedSchema: { type: "object", properties: {} } };

/** A server of the older protocol's manner: it asks by requests of its own, while it works. */
const pushing = server("pushing", {
  ask: {
    run: async (_, { mcpReq }) => text(JSON.stringify(await mcpReq.elicitInput(WHO))),
  },
  sample: {
    run: async (_, { mcpReq }) => {
      const messages = [{ role: "user", content: { type: "text", text: "hi" } }];
      return text((await mcpReq.requestSampling({ messages, maxTokens: 5 })).content.text);
    },
  },
  twice: {
    run: async (_, { mcpReq }) => {
      const ask = async () => (await mcpReq.elicitInput(WHO)).content.name;
      return text(`${await ask()} and ${await ask()}`);
    },
  },
});

for (const down of ["legacy", "modern"]) {
  for (const up of ["legacy", "modern"]) {
    test(`a ${up} server asks a ${down} client for input`, async (t) => {
      const open = await opened(t, { greeter: server("greeter", { greet }) }, { era: up });
      const who = await client(t, open, { era: down, ...elicits(ada) });
      assert.equal(said(await call(who, "greet")), "hello Ada");
    });
  }
  test(`a server that pushes questions reaches a ${down} client`, async (t) => {
    let asked = 0;
    const open = await opened(t, { pushing });
    const who = await client(t, open, {
      era: down,
      ...elicits(() => ({ action: "accept", content: { name: `n${++asked}` } })),
    });
    assert.match(said(await call(who, "ask")), /"name":"n1"/);
    assert.equal(said(await call(who, "twice")), "n2 and n3");
    assert.equal(said(await call(who, "sample")), "sampled");
  });

  test(`progress, logs and cancellation pass a ${down} client's call`, async (t) => {
    let ended;
    const working = server("working", {
      work: {
        run: async (_, { mcpReq }) => {
          const { progressToken } = mcpReq._meta;
          for (const progress of [1, 2])
            await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 2 } });
          await mcpReq.log("warning", "half done");
          return text("done");
        },
      },
      hang: {
        run: (_, { mcpReq }) =>
          new Promise((resolve) => mcpReq.signal.addEventListener("abort", () => resolve(text((ended = "aborted"))))),
      },
    });
    const open = await opened(t, { working });
    const logs = [];
    const set = (made) => made.setNotificationHandler("notifications/message", ({ params }) => logs.push(params));
    const who = await client(t, open, { era: down, set });
    const steps = [];
    const meta = { "io.modelcontextprotocol/logLevel": "info" };
    const params = { name: "call_destructive_tool", arguments: { name: "work" }, _meta: meta };
    assert.equal(said(await who.callTool(params, { onprogress: ({ progress }) => steps.push(progress) })), "done");
    assert.deepEqual(steps, [1, 2]);
    assert.deepEqual(logs, [{ level: "warning", logger: "working", data: "half done" }]);
    const stop = new AbortController();
    const hanging = call(who, "hang", {}, "call_destructive_tool", { signal: stop.signal });
    setTimeout(() => stop.abort(), 100);
    await assert.rejects(hanging);
    await until(() => ended === "aborted");
  });
}

for (const down of ["legacy", "modern"]) {
  test(`a server that asks for roots during the call of a ${down} client without roots is told of none`, async (t) => {
    const rooted = server("rooted", {
      roots: { run: async (_, { mcpReq }) => text(JSON.stringify((await mcpReq.send({ method: "roots/list" })).roots)) },
    });
    const open = await opened(t, { rooted });
    assert.equal(said(await call(await client(t, open, { era: down }), "roots")), "[]");
    const own = await client(t, open, { era: down, ...elicits(ada) });
    assert.equal(said(await call(own, "roots")), '[{"uri":"file:///home"}]');
  });
}

test("a client that declines, and one that cannot be asked, are told to the server", async (t) => {
  const open = await opened(t, { pushing });
  const declining = elicits(() => ({ action: "decline" }));
  const declines = await client(t, open, declining);
  assert.match(said(await call(declines, "ask")), /"action":"decline"/);
  const cannot = await client(t, open);
  const answer = await call(cannot, "ask").catch((error) => ({ isError: true, content: [{ text: error.message }] }));
  assert.equal(answer.isError, true);
  assert.match(said(answer), /elicitation|capabilit/i);
});

test("two clients that call one server at once are never asked each other's questions", async (t) => {
  let release;
  const both = new Promise((resolve) => (release = resolve));
  let waiting = 0;
  const slow = server("slow", {
    ask: {
      run: async (_, { mcpReq }) => {
        if (++waiting === 2) release();
        await both;
        const asked = mcpReq.elicitInput(WHO).then(({ content }) => content.name);
        return text(await asked.catch(({ message }) => message));
      },
    },
  });
  const open = await opened(t, { slow });
  const asked = [];
  const answers = ["Ada", "Bob"].map((name) => elicits(() => (asked.push(name), { action: "accept", content: { name } })));
  const [ada, bob] = await Promise.all(answers.map((options) => client(t, open, options)));
  const said2 = (await Promise.all([call(ada, "ask"), call(bob, "ask")])).map(said);
  // Over one connection the server's questions name no call: as long as both run, nobody is asked.
  assert.match(said2[0], /several clients are calling this server/);
  assert.ok(asked.length <= 1, "only the last one that runs can be asked");
});

test("an attempt with a token of somebody else's, or of nobody's, is a new call", async (t) => {
  const open = await opened(t, { pushing });
  const who = await client(t, open, { era: "modern", ...elicits(ada) });
  const params = {
    name: "call_destructive_tool",
    arguments: { name: "ask" },
    requestState: "made up",
    inputResponses: { q0: { action: "accept", content: {} } },
  };
  assert.match(said(await who.callTool(params)), /"name":"Ada"/);
});

test("resources, templates, prompts and completions of several servers are one list each", async (t) => {
  const more = (name) => (made) => {
    made.registerResource("readme", "docs://readme", { mimeType: "text/plain" }, () => ({
      contents: [{ uri: "docs://readme", text: `readme of ${name}` }],
    }));
    const template = new ResourceTemplate(`${name}://notes/{id}`, { list: undefined, complete: { id: () => ["1", "2"] } });
    made.registerResource("note", template, {}, (uri) => ({ contents: [{ uri: uri.href, text: `${name} ${uri.href}` }] }));
    const argsSchema = fromJsonSchema({ type: "object", properties: { topic: { type: "string" } } });
    made.registerPrompt("plan", { description: `Plan of ${name}`, argsSchema }, ({ topic }) => ({
      messages: [{ role: "user", content: { type: "text", text: `${name} plans ${topic}` } }],
    }));
    made.registerTool("link", { inputSchema: object() }, () => ({
      content: [
        { type: "resource_link", uri: "docs://readme", name: "readme" },
        { type: "image", data: "AAAA", mimeType: "image/png" },
      ],
    }));
  };
  const open = await opened(t, { one: server("one", { x: {} }, more("one")), two: server("two", { y: {} }, more("two")) });
  for (const era of ["legacy", "modern"]) {
    const who = await client(t, open, { era });
    const { resources } = await who.listResources();
    assert.equal(resources.map(({ uri }) => uri).join(" "), "docs://readme two+docs://readme");
    const read = async (uri) => (await who.readResource({ uri })).contents[0];
    assert.deepEqual(await read("two+docs://readme"), {
      uri: "two+docs://readme",
      text: "readme of two",
      _meta: { "toolsift/server": "two" },
    });
    assert.equal((await read("docs://readme")).text, "readme of one");
    assert.equal((await read("two://notes/7")).text, "two two://notes/7");
    await assert.rejects(read("nowhere://x"));
    const { resourceTemplates } = await who.listResourceTemplates();
    assert.equal(resourceTemplates.map(({ uriTemplate }) => uriTemplate).join(" "), "one://notes/{id} two://notes/{id}");
    const { prompts } = await who.listPrompts();
    assert.equal(prompts.map(({ name }) => name).join(" "), "plan two__plan");
    const { messages } = await who.getPrompt({ name: "two__plan", arguments: { topic: "trips" } });
    assert.equal(messages[0].content.text, "two plans trips");
    const completed = await who.complete({
      ref: { type: "ref/resource", uri: "two://notes/{id}" },
      argument: { name: "id", value: "" },
    });
    assert.deepEqual(completed.completion.values, ["1", "2"]);
    const { content } = await call(who, "two__link");
    assert.equal(content[0].uri, "two+docs://readme");
    assert.deepEqual(content[1], { type: "image", data: "AAAA", mimeType: "image/png" });
  }
});

for (const era of ["legacy", "modern"]) {
  test(`a ${era} client follows a resource`, async (t) => {
    let made;
    const live = server("live", { x: {} }, (own) => {
      made = own;
      own.server.registerCapabilities({ resources: { subscribe: true } });
      own.registerResource("log", "live://log", {}, () => ({ contents: [{ uri: "live://log", text: "" }] }));
      own.server.setRequestHandler("resources/subscribe", () => ({}));
    });
    const open = await opened(t, { live });
    const updates = [];
    const set = (own) =>
      own.setNotificationHandler("notifications/resources/updated", ({ params }) => updates.push(params.uri));
    const who = await client(t, open, { era, http: true, set });
    await who.listResources();
    if (era === "legacy") await who.subscribeResource({ uri: "live://log" });
    else await who.listen({ resourceSubscriptions: ["live://log"] });
    await made.server.sendResourceUpdated({ uri: "live://log" });
    await until(() => updates.length > 0);
    assert.deepEqual(updates, ["live://log"]);
  });
}

test("a client over HTTP keeps its session, and a session belongs to its scope", async (t) => {
  const scope = (request) => ({ servers: [request?.headers.get("x-scope") ?? "none"] });
  const open = await opened(t, { one: server("one", { ping: {} }), two: server("two", { pong: {} }) }, { scope });
  const who = await client(t, open, { headers: { "x-scope": "one" } });
  assert.equal(said(await call(who, "ping")), "one ran ping");
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-session-id": who.transport.sessionId,
    "x-scope": "two",
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const stolen = await open.gateway.fetch(new Request("http://gateway.test/mcp", { method: "POST", headers, body }));
  assert.equal(stolen.status, 404);
});

test("over a pair of streams, either protocol is served", async (t) => {
  const open = await opened(t, { greeter: server("greeter", { greet }) });
  for (const era of ["legacy", "modern"]) {
    const who = await client(t, open, { era, http: false, ...elicits(ada) });
    assert.equal(said(await call(who, "greet")), "hello Ada");
  }
});
