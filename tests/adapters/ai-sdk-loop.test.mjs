/**
 * Tests that the adapter for AI SDK works with the program's own loop settings.
 * 1. The order of the sent tools, also with a provider's tools and with names that look like numbers.
 * 2. The program's instructions, `prepareStep`, `activeTools`, `toolChoice` and repair, together with ours.
 * 3. Calls of tools that are not loaded, under profiles that refuse them, run them, or use a bridge tool.
 * 4. Our ranker as the search of ai 7's own `toolSearch`.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { DISCOVERY, add } from "./lib/calls.mjs";
import { answers, call, MAJORS, sdk, sent, system } from "./lib/mock-model.mjs";

/** A host with a few tools; `ran` is what they were called with. */
function office({ ai, z }, ran) {
  const runs = (name) => async (input) => {
    ran.push([name, input]);
    return `${name} ran`;
  };
  const said = (description, shape, name, more) =>
    ai.tool({ description, inputSchema: z.object(shape), execute: runs(name), ...more });
  return {
    get_weather: said("Get the weather of a city", { city: z.string(), days: z.number().default(3) }, "get_weather"),
    remove_file: said("Remove a file", { path: z.string() }, "remove_file", { needsApproval: true }),
    send_mail: said("Send a mail to somebody", { to: z.string() }, "send_mail"),
    7: said("Count to seven", {}, "7"),
  };
}

/** Runs `check` for each major, with a host's tools sifted. */
function each(title, check, only = MAJORS) {
  for (const one of only) {
    test(`${one.label}: ${title}`, async () => {
      const its = await sdk(one);
      const ran = [];
      const tools = office(its, ran);
      const sift = async (settings = {}, more = {}) => {
        const sift = new its.ToolSift({ activation: "on", ...settings });
        return { sift, session: sift.session("chat"), sifted: await its.siftTools(sift, { tools, ...more }) };
      };
      const go = (model, options) => its.ai.generateText({ model, prompt: "Go on.", ...options });
      await check({ ...its, ...one, tools, ran, sifting: sift, go });
    });
  }
}

const onSeven = (title, check) => each(title, check, MAJORS.slice(1));

each(
  "tools stand in the order of their reveal, whatever their names",
  async ({ model, sifting, go, ai, tools, siftTools }) => {
    const { sift, session } = await sifting();
    const provider = {
      type: "provider",
      id: "openai.web_search",
      args: { searchContextSize: "low" },
      inputSchema: ai.jsonSchema({}),
    };
    const sifted = await siftTools(sift, { tools: { ...tools, web_search: provider } });
    const asked = model([add("send_mail")], [add("7", "get_weather")], [call("send_mail", { to: "Ada" })]);
    await go(asked, sifted.for(session));
    const first = [...DISCOVERY, "web_search"];
    assert.deepEqual(sent(asked), [
      first,
      [...first, "send_mail"],
      ...Array(2).fill([...first, "send_mail", "7", "get_weather"]),
    ]);
    const { type, id, args } = asked.doGenerateCalls[3].tools[3];
    assert.match(type, /^provider/);
    assert.deepEqual([id, args], ["openai.web_search", { searchContextSize: "low" }]);
    const texts = asked.doGenerateCalls.map((one) => JSON.stringify(one.tools).slice(0, -1));
    for (const [at, text] of texts.slice(1).entries()) assert.ok(text.startsWith(texts[at]), "what stood there stays");
  },
);

each("the prompt section stands behind the host's instructions", async ({ model, sifting, go, major }) => {
  const { sifted, session } = await sifting();
  const section = session.assemble().systemPrompt;
  const words = {
    role: "system",
    content: "Be kind.",
    providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } },
  };
  const said = async (top, options) => {
    const asked = model([add("send_mail")]);
    await go(asked, { ...top, ...sifted.for(session, options) });
    assert.deepEqual(system(asked, 0), system(asked, 1), "the same in every step");
    return system(asked);
  };
  const apart = ["Be kind.", section];
  const together = [`Be kind.\n\n${section}`];
  assert.deepEqual(await said({}), [section]);
  assert.deepEqual(await said({ system: "Be kind." }), major === 6 ? apart : together);
  assert.deepEqual(await said({}, { system: "Be kind." }), together);
  assert.deepEqual(await said({ system: words }), apart);
  assert.deepEqual(await said({}, { system: [words] }), apart);
  const inMessages = { prompt: undefined, messages: [words, { role: "user", content: "Go on." }] };
  const first = major === 6 ? apart : apart.toReversed();
  assert.deepEqual(await said({ ...inMessages, allowSystemInMessages: true }), first);
  if (major === 7) assert.deepEqual(await said({ instructions: [words, words] }), ["Be kind.", ...apart]);
});

each("activeTools leaves out what it does not name, and such a call does not run", async ({ model, sifting, go, ran }) => {
  const { sifted, session } = await sifting();
  session.reveal(["send_mail", "get_weather"]);
  const asked = model([call("send_mail", { to: "Ada" }), call("remove_file", { path: "x" })]);
  await go(asked, sifted.for(session, { activeTools: ["get_weather"] }));
  assert.deepEqual(sent(asked)[0], [...DISCOVERY, "get_weather"]);
  assert.deepEqual(ran, []);
  for (const [, output] of answers(asked)) assert.match(output.value, /unavailable tool/);
  assert.deepEqual(session.revealed, ["send_mail", "get_weather"]);

  const steps = model([call("get_weather", { city: "Oslo" })]);
  const prepareStep = ({ stepNumber }) => ({ activeTools: stepNumber === 0 ? ["get_weather"] : [] });
  await go(steps, sifted.for(session, { prepareStep }));
  assert.deepEqual(sent(steps), [[...DISCOVERY, "get_weather"], []]);
});

each("what the host makes the model call, it is sent", async ({ model, sifting, go, ran }) => {
  const { sifted, session } = await sifting();
  const prepareStep = ({ stepNumber }) => (stepNumber === 0 ? { toolChoice: { type: "tool", toolName: "send_mail" } } : {});
  const asked = model([call("send_mail", { to: "Ada" })]);
  await go(asked, sifted.for(session, { prepareStep }));
  assert.deepEqual(sent(asked)[0], [...DISCOVERY, "send_mail"]);
  assert.deepEqual(asked.doGenerateCalls[0].toolChoice, { type: "tool", toolName: "send_mail" });
  assert.deepEqual(ran, [["send_mail", { to: "Ada" }]]);

  const required = model([call("get_weather", { city: "Oslo" })]);
  const { steps } = await go(required, { ...sifted.for(session, { stopWhen: () => true }), toolChoice: "required" });
  assert.match(
    String(steps[0].content.at(-1).error),
    /get_weather was not loaded/,
    "a refusal is an answer to what was required",
  );
});

each("the host's own repair comes first where a name or arguments are wrong", async ({ model, sifting, go, ran }) => {
  const { sifted, session } = await sifting();
  session.reveal(["get_weather"]);
  const asked = [];
  const repairToolCall = async ({ toolCall }) => {
    asked.push(toolCall.toolName);
    if (toolCall.toolName === "weather") return { ...toolCall, toolName: "get_weather" };
    return toolCall.input === "{city:" ? { ...toolCall, input: '{"city":"Rome"}' } : null;
  };
  const calls = [
    call("weather", { city: "Oslo" }),
    call("get_weather", "{city:"),
    call("send_mail", { to: "Ada" }),
    call("nope"),
  ];
  const scripted = model(calls);
  await go(scripted, sifted.for(session, { repairToolCall }));
  assert.deepEqual(asked.sort(), ["get_weather", "nope", "weather"], "a tool that is only not loaded needs no repair");
  assert.deepEqual(
    ran.map(([, { city }]) => city),
    ["Oslo", "Rome"],
  );
  assert.match(answers(scripted).at(-1)[1].value, /^There is no tool named "nope"/);
});

each(
  "in one reply, what a search loads can be called behind it, in the order of the calls",
  async ({ model, sifting, go, ran }) => {
    const { sifted, session } = await sifting();
    const asked = model([
      add("send_mail", "remove_file"),
      call("get_weather", { city: "Oslo" }),
      call("send_mail", { to: "Ada" }),
      call("remove_file", { path: "x" }),
    ]);
    const { steps } = await go(asked, sifted.for(session));
    assert.deepEqual(session.revealed, ["send_mail", "remove_file", "get_weather"]);
    const [, weather, mail, file] = answers(asked);
    assert.match(weather[1].value, /^get_weather was not loaded/);
    assert.deepEqual(mail[1], { type: "text", value: "send_mail ran" });
    assert.match(file[1].value, /^remove_file was not loaded when you called it.*call it again/);
    assert.deepEqual(ran, [["send_mail", { to: "Ada" }]], "nobody was asked to approve the other");
    assert.equal(steps.length, 2);
  },
);

each(
  "a call behind the search that loads its tool must fit the tool's schema",
  async ({ model, sifting, go, ran, major }) => {
    const { sifted, session } = await sifting();
    const told = [];
    const onEvent = ({ type, tool, code }) => void told.push([type, tool, code]);
    const asked = model([add("get_weather"), call("get_weather", { city: 5 }), call("get_weather", { city: "Oslo" })]);
    await go(asked, sifted.for(session, { onEvent }));
    const search = ["search", "add_tool"];
    const dispatch = ["dispatch", "get_weather"];
    const inOrder = [search, ["reveal", "add_tool"], ["refuse", "get_weather", "arguments_invalid"], dispatch];
    // There, what does not fit is decided before anything runs.
    const first = [["refuse", "get_weather", "tool_not_revealed"], ["reveal", "get_weather"], search, dispatch];
    const said = [
      /^The arguments of get_weather are not valid: .*expected string/s,
      /^get_weather was not loaded.*its parameters are/,
    ];
    assert.match(answers(asked)[1][1].value, said[major - 6]);
    const events = major === 6 ? inOrder : first;
    assert.deepEqual(told.map((event) => event.filter((part) => part !== undefined)).sort(), events.sort());
    const again = model([call("get_weather", { town: 1 })]);
    await go(again, sifted.for(session, { onEvent }));
    assert.deepEqual(told.at(-1), ["refuse", "get_weather", "arguments_invalid"]);
    assert.deepEqual(ran, [["get_weather", { city: "Oslo", days: 3 }]], "with the defaults of the schema");
  },
);

each("a profile that runs such calls runs them, once they are read and approved", async ({ model, sifting, go, ran }) => {
  const { sifted, session } = await sifting({ profile: "stub" });
  const asked = model(
    [call("get_weather", { city: "Oslo" }), call("send_mail", { town: 1 })],
    [call("remove_file", { path: "x" })],
  );
  const { content } = await go(asked, sifted.for(session));
  const [first] = asked.doGenerateCalls;
  assert.deepEqual(
    first.tools.find(({ name }) => name === "get_weather").inputSchema.properties ?? {},
    {},
    "a stub has no parameters",
  );
  assert.deepEqual(ran, [["get_weather", { city: "Oslo", days: 3 }]]);
  assert.match(answers(asked)[1][1].value, /Invalid input for tool send_mail/);
  assert.equal(content.at(-1).type, "tool-approval-request");

  const run = await sifting({ unrevealedCall: "run" });
  const early = model([call("get_weather", { city: "Rome" })]);
  await go(early, run.sifted.for(run.session));
  assert.deepEqual(sent(early), [DISCOVERY, [...DISCOVERY, "get_weather"]]);
  assert.deepEqual(ran.at(-1), ["get_weather", { city: "Rome", days: 3 }]);
});

each(
  "through a bridge, a tool is asked for approval, read and answered as by itself",
  async ({ model, sifting, go, ran, tools, siftTools, ToolSift }) => {
    const { sifted, session } = await sifting({ profile: "bridge" });
    tools.get_weather.toModelOutput = ({ input, output }) => ({ type: "text", value: `${input.city}: ${output}` });
    const through = (name, args) => call("tool_call", { name, arguments: args });
    const asked = model([
      through("get_weather", { city: "Oslo" }),
      through("get_weather", { town: 1 }),
      call("get_weather", { city: "Oslo" }),
    ]);
    await go(asked, sifted.for(session));
    assert.deepEqual(sent(asked)[1], sent(asked)[0], "the tools never change");
    const [good, bad, direct] = answers(asked).map(([, output]) => output.value);
    assert.equal(good, "Oslo: get_weather ran");
    assert.match(bad, /city/);
    assert.match(direct, /Call it through tool_call/);

    const messages = [{ role: "user", content: "Remove it." }];
    const waiting = await go(model([through("remove_file", { path: "x" })]), {
      ...sifted.for(session),
      prompt: undefined,
      messages,
    });
    const request = waiting.content.find(({ type }) => type === "tool-approval-request");
    assert.equal(request.toolCall.toolName, "tool_call");
    const response = { type: "tool-approval-response", approvalId: request.approvalId, approved: true };
    messages.push(...waiting.response.messages, { role: "tool", content: [response] });
    const restarted = new ToolSift({ activation: "on", profile: "bridge" });
    const later = (await siftTools(restarted, { tools })).for(restarted.session("chat"));
    await go(model(), { ...later, prompt: undefined, messages });
    assert.deepEqual(ran, [
      ["get_weather", { city: "Oslo", days: 3 }],
      ["remove_file", { path: "x" }],
    ]);
  },
);

onSeven("our ranker is the search of ai 7's own toolSearch", async ({ model, sifting, go, ai, tools, ran }) => {
  const { sifted } = await sifting();
  const deferred = Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, { ...tool, deferLoading: true }]));
  const find = ai.toolSearch({ search: sifted.search, maxResults: 1 });
  const asked = model(
    [call("find", { query: "drop someone an e-mail" })],
    [call("send_mail", { to: "Ada" })],
    [call("find", { query: "xyzzy plugh" })],
  );
  await go(asked, { tools: { find, ...deferred }, stopWhen: ai.stepCountIs(9) });
  assert.deepEqual(sent(asked).slice(0, 2), [["find"], ["find", "send_mail"]]);
  assert.deepEqual(ran, [["send_mail", { to: "Ada" }]]);
  assert.deepEqual(answers(asked).at(-1)[1].value, { tools: [] }, "nothing fits");
  assert.deepEqual(sifted.search({ query: "send mail", tools: [{ name: "get_weather" }] }), [], "only what is offered");
});

onSeven("tools that ask for ai 7's toolSearch are held back", async ({ model, go, tools, ToolSift, siftTools }) => {
  const sift = new ToolSift({ activation: "on", deferral: "opt-in" });
  const { get_weather: weather, send_mail: mail } = tools;
  const sifted = await siftTools(sift, { tools: { weather: { ...weather, deferLoading: true }, mail } });
  const asked = model([add("weather")]);
  await go(asked, sifted.for(sift.session("chat")));
  assert.deepEqual(
    sent(asked).map((names) => names.slice(3)),
    [["mail"], ["mail", "weather"]],
  );
});

each("registering the same tools again, also at once, changes nothing", async ({ siftTools, ToolSift, tools }) => {
  const sift = new ToolSift();
  await Promise.all([siftTools(sift, { tools }), siftTools(sift, { tools })]);
  const { revision } = sift;
  await siftTools(sift, { tools });
  assert.equal(sift.revision, revision);
  assert.equal(sift.tools().length, Object.keys(tools).length);
});
