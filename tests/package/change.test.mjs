/**
 * What does a reader see while the catalog changes?
 *
 * 1. Whoever reads while `sync` still reads the new list, as a getter or `toJSON` of a tool can, sees the whole old catalog;
 *    whoever reads afterwards sees the whole new one.
 * 2. A counter that changes the catalog in the middle of an assembly gets `reentrant`. Catalog, session and the request are
 *    as if it had not tried; where it does not catch the error, the assembly fails as a whole.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolSift, ToolSiftError } from "./refused.mjs";

const SERVER = "harbour";
const schema = (parameter) => ({ type: "object", properties: { [parameter]: { type: "string" } } });
const OLD = [
  { name: "get_tides", description: "High and low water of a port.", inputSchema: schema("port") },
  { name: "book_berth", description: "Books a berth for a ship.", inputSchema: schema("ship") },
  { name: "call_pilot", description: "Asks for a pilot.", inputSchema: schema("hour") },
];
/** One stays as it is, one says something else, one is gone, one is new. */
const NEW = [
  { name: "get_tides", description: "High and low water of a port.", inputSchema: schema("port") },
  { name: "book_berth", description: "Reserves a mooring for a yacht.", inputSchema: schema("yacht") },
  { name: "order_tug", description: "Sends a tug.", inputSchema: schema("hour") },
];

/** A catalog with one tool revealed that will stay and one that will go. */
function opened(options) {
  const sift = new ToolSift(options);
  sift.register(OLD, { server: SERVER });
  const session = sift.session("chat");
  session.reveal(["call_pilot", "get_tides"]);
  return { sift, session };
}

/** All that can be read of it without changing it. */
function view({ sift, session }) {
  return {
    tools: sift.tools(),
    size: sift.size(),
    hash: sift.contentHash,
    revision: sift.revision,
    states: session.tools(),
    revealed: session.revealed,
    snapshot: session.snapshot(),
    found: ["berth", "mooring", "pilot", "tug", "water"].map((query) => sift.search(query)),
  };
}

test("who reads while sync reads the new list sees the old catalog, afterwards the new one", () => {
  const host = opened();
  const old = view(host);
  const seen = [];
  const look = () => seen.push(view(host));
  const spying = NEW.map(({ name, description, inputSchema }) => ({
    get name() {
      look();
      return name;
    },
    get description() {
      look();
      return description;
    },
    inputSchema: {
      toJSON() {
        look();
        return inputSchema;
      },
    },
  }));
  const options = {
    get names() {
      look();
      return "strict";
    },
  };

  const report = host.sift.sync(SERVER, spying, options);
  assert.ok(seen.length >= 3 * NEW.length + 1, `looked ${seen.length} times`);
  for (const one of seen) assert.deepEqual(one, old);
  const { added, changed, removed, unchanged } = report;
  assert.deepEqual(
    { added, changed, removed, unchanged },
    {
      added: ["order_tug"],
      changed: ["book_berth"],
      removed: ["call_pilot"],
      unchanged: 1,
    },
  );

  const fresh = new ToolSift();
  fresh.register(NEW, { server: SERVER });
  assert.equal(host.sift.contentHash, fresh.contentHash);
  assert.notEqual(host.sift.revision, old.revision);
  const sorted = (tools) => [...tools].sort((a, b) => (a.name < b.name ? -1 : 1));
  assert.deepEqual(sorted(host.sift.tools()), sorted(fresh.tools()));
  const names = (query) => host.sift.search(query).hits.map(({ name }) => name);
  assert.deepEqual(
    [names("mooring")[0], names("tug")[0], names("pilot").includes("call_pilot")],
    ["book_berth", "order_tug", false],
  );
  assert.deepEqual(host.session.revealed, ["get_tides"]);
  const sent = JSON.stringify(host.session.assemble({ format: "openai" }));
  assert.ok(sent.includes("get_tides") && !sent.includes("call_pilot"));
});

const CHANGES = {
  sync: (sift) => sift.sync(SERVER, NEW),
  register: (sift) => sift.register(NEW, { server: "other" }),
  unregister: (sift) => sift.unregister({ server: SERVER }),
  restore: (sift) => sift.restore({ toolsift: 2, id: "chat", profile: "sift", turn: 0, revealed: [] }, { replace: true }),
};

for (const [name, change] of Object.entries(CHANGES)) {
  test(`a counter that calls ${name} while a request is assembled gets reentrant`, () => {
    let meddles = false;
    const codes = [];
    const countTokens = (text) => {
      if (!meddles) return text.length;
      try {
        change(host.sift);
      } catch (error) {
        codes.push(error.code);
      }
      return text.length;
    };
    const host = opened({ countTokens });
    const calm = opened({ countTokens: (text) => text.length });
    meddles = true;
    const request = host.session.assemble({ format: "openai" });
    meddles = false;
    assert.deepEqual(new Set(codes), new Set(["reentrant"]));
    assert.deepEqual(request, calm.session.assemble({ format: "openai" }));
    assert.deepEqual(view(host), view(calm));
    change(host.sift);
    assert.notDeepEqual(view(host), view(calm), "afterwards it works");
  });

  test(`where the counter lets the error of ${name} through, nothing is assembled and nothing has changed`, () => {
    let meddles = false;
    const countTokens = (text) => {
      if (meddles) change(host.sift);
      return text.length;
    };
    const host = opened({ countTokens });
    const old = view(host);
    meddles = true;
    assert.throws(
      () => host.session.assemble(),
      (error) => ToolSiftError.is(error) && error.code === "counter_failed",
    );
    meddles = false;
    assert.deepEqual(view(host), old);
  });
}
