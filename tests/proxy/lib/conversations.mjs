/**
 * The nine conversations of the adapters' contract, as a client that knows nothing of the proxy leads them.
 *
 * Each has a `title` and a `script` for the model behind the proxy. `plain` is the script of the same conversation without
 * proxy, in which the model has every tool at once; what the client keeps must be the same. `options` are the proxy's.
 */

import assert from "node:assert/strict";
import { add, call, DISCOVERY, ENTITIES, ISSUE, search } from "../../adapters/lib/calls.mjs";

/** A script of replies: each is a list of calls, or a reply as the wire has it; after the last one the model is done. */
export function script(...replies) {
  return (_, step) => {
    const reply = replies[step - 1];
    if (reply === undefined) return { text: "All done." };
    return Array.isArray(reply) ? { calls: reply } : reply;
  };
}

/** What the model is sent, request by request, without the discovery tools. */
export const beside = ({ requests }) => requests.map(({ tools }) => tools.filter((name) => !DISCOVERY.includes(name)));

export const STEP_BY_STEP = {
  title: "what the model is sent, step by step",
  script: script(
    [search("create an issue in a repository")],
    [call("create_issue", ISSUE)],
    [search("read a text file")],
    [call("create_issue", ISSUE), call("read_text_file", { path: "a.txt" }), search("open a pull request")],
  ),
  plain: script([call("create_issue", ISSUE)], [call("create_issue", ISSUE), call("read_text_file", { path: "a.txt" })]),
  check({ requests, ran, text }) {
    const sent = requests.map(({ tools }) => tools);
    assert.deepEqual(sent[0], DISCOVERY);
    assert.equal(sent[1].indexOf("create_issue"), DISCOVERY.length, "the best hit first, behind what stood there");
    assert.ok(sent[3].includes("read_text_file") && sent.at(-1).includes("create_pull_request"));
    for (const [at, names] of sent.slice(1).entries())
      assert.deepEqual(names.slice(0, sent[at].length), sent[at], "only appended");
    for (const said of [/You are an agent\./, /## Finding tools/]) assert.match(requests[0].system, said);
    assert.equal(requests[0].prompt, "Report it.");
    assert.match(requests[1].answers[0], /^Loaded\. Call them from your next step on:\n- create_issue\(/);
    assert.deepEqual(
      ran.map(({ name }) => name),
      ["create_issue", "create_issue", "read_text_file"],
    );
    assert.deepEqual(ran[0].args, ISSUE);
    assert.equal(text, "All done.");
  },
};

export const TOO_EARLY = {
  title: "a call that comes too early is told the schema, and runs when it is made again",
  script: script([call("create_entities", { names: ["Ada"] })], [call("create_entities", ENTITIES)]),
  plain: script([call("create_entities", ENTITIES)]),
  check({ requests, ran }) {
    assert.match(requests[1].answers[0], /create_entities was not loaded, so this call did not run.*"observations"/);
    assert.deepEqual(requests[1].tools, [...DISCOVERY, "create_entities"]);
    assert.deepEqual(ran, [{ name: "create_entities", args: ENTITIES }]);
  },
};

export const FAILING = {
  title: "a tool that fails is told to the model, and the agent goes on",
  script: script([add("create_issue", "read_graph")], [call("create_issue", ISSUE), call("read_graph")]),
  plain: script([call("create_issue", ISSUE), call("read_graph")]),
  answer: (name) => `${name} failed: the repository is archived`,
  check({ requests, text }) {
    assert.match(requests[2].answers[0], /create_issue failed: the repository is archived/);
    assert.match(requests[2].answers[1], /read_graph failed/);
    assert.equal(text, "All done.");
  },
};

export const NEVER_ENDING = {
  title: "steps are limited where the model never ends",
  script: (_, step) => ({ calls: [step === 1 ? add("read_graph") : call("read_graph")] }),
  plain: () => ({ calls: [call("read_graph")] }),
  maxSteps: 3,
  check({ requests, ran, finish }) {
    assert.equal(requests.length, 4);
    assert.equal(finish, "steps");
    assert.equal(ran.length, 3);
  },
};

/** The conversations that one run of an agent makes. The others are in the tests themselves. */
export const SINGLE = [STEP_BY_STEP, TOO_EARLY, FAILING, NEVER_ENDING];
