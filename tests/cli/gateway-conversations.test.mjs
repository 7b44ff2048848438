/**
 * Plays the conversations of tests/conversations over a constant list of tools, with an MCP client that makes the model's
 * calls.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { SERVERS, toolsOf } from "../adapters/lib/tools.mjs";
import { answerOf, CONVERSATIONS, check, scripted, surfaceOf } from "../conversations/play.mjs";
import { client, names, opened, said, server } from "./gateways.mjs";
import { fromJsonSchema } from "@modelcontextprotocol/server";

for (const { name, settings, runs } of CONVERSATIONS.filter(({ settings }) => settings?.surface === "constant")) {
  test(name, async (t) => {
    for (const { scope, answers, expect, ...run } of runs) {
      const ran = [];
      const madeBy = (home) => {
        const tools = toolsOf(home).map(({ name, description, annotations, inputSchema }) => {
          const execute = async (args) => {
            ran.push({ server: home, name, args });
            return { content: [{ type: "text", text: answerOf({ answers }, { server: home, name }) }] };
          };
          return [name, { description, annotations, input: fromJsonSchema(inputSchema), run: execute }];
        });
        return [home, server(home, Object.fromEntries(tools))];
      };
      const open = await opened(t, Object.fromEntries((scope?.servers ?? SERVERS).map(madeBy)), { packs: false });
      const who = await client(t, open);
      const model = scripted(run);
      const requests = [];
      let text;
      for (let answered = []; text === undefined; ) {
        requests.push({ tools: await names(who), answers: answered, system: "" });
        const reply = await model(requests.at(-1), requests.length);
        text = reply.text;
        const call = ({ name, args }) => who.callTool({ name, arguments: args }).then(said, ({ message }) => message);
        answered = await Promise.all((reply.calls ?? []).map(call));
      }
      const told = { requests, ran, text, finish: "done" };
      check(expect, told, { surface: surfaceOf(settings) });
    }
    assert.ok(runs.length > 0);
  });
}
