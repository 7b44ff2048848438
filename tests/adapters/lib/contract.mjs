/**
 * The shared contract of all adapters. The conversations of tests/conversations are played over each adapter, with the real
 * code of its SDK and a scripted model. The requests and answers are compared step by step.
 *
 * A drive is `{ adapter, road, versions, converse }`: the entry of the package; a name for this way to use it; the packages
 * of an application, one set for each version of the SDK, with the SDK first; and a function that leads one run of the
 * agent. `converse` gets
 * - `app`, the application, whose packages `app.load(name)` imports, and `sift`, its `ToolSift`,
 * - `id` and `scope` of the session; without a scope, the session sees everything,
 * - `prompt`, the user's message; the program's own prompt is "You are an agent.",
 * - `script`, the replies of the model, for `startVendor` of tests/apis/vendor.mjs,
 * - `own`, definitions of the program's own tools; `door`, whether `toolsift()` is used,
 * - options that are passed unchanged to the adapter or to `runTools`: always `execute`; those of a run of the
 *   conversations, and `onEvent`; and those that the drive's test names as `variants`, such as `stream`. The SDK's own limit
 *   of steps is set to `maxSteps`.
 *
 * `surface` names the discovery tools of a request, if they are not the catalog's. `without` gives the reason why a drive
 * cannot play a conversation, by the conversation's name, a field of its runs, a setting of its catalog, or a tool that is
 * called in it. A variant may have `without` too.
 *
 * `converse` returns `{ requests, finish, text }`: the requests as described in tests/apis/vendor.mjs, the end (`done`,
 * `steps`, `refused`), and the model's last text. If the program has the messages, it also returns `kept`, the messages and
 * their format. It throws the errors of the adapter.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { allOrLast } from "../../../scripts/lib/full.mjs";
import {
  answerOf,
  CONVERSATIONS,
  check,
  featuresOf,
  rankOf,
  revealedIn,
  scripted,
  surfaceOf,
} from "../../conversations/play.mjs";
import { appWith } from "./app.mjs";
import { agentOver, catalogOf, ownTools, siftOf } from "./tools.mjs";

/** The versions of a drive's SDK: the newest, all that the repository has, or the one that `npm run peers` installed. */
const versionsOf = ({ versions }) => (process.env.TOOLSIFT_PEERS === undefined ? allOrLast(versions) : versions.slice(-1));

/** Runs the contract over every version of a drive's SDK, and with every variant of its options. */
export function contract(drive, { variants = [{}], versions = versionsOf(drive) } = {}) {
  for (const packages of versions) {
    for (const variant of variants) {
      const { without, ...options } = variant;
      const label = [...Object.values(packages), ...Object.entries(options).map((pair) => pair.join(" "))].join(", ");
      for (const conversation of CONVERSATIONS) {
        if (conversation.stream && !options.stream && options.by !== "stream") continue;
        const reasons = new Map(Object.entries({ ...drive.without, ...without }));
        const skip = featuresOf(conversation)
          .map((feature) => reasons.get(feature))
          .find(Boolean);
        test(`${drive.adapter} (${label}): ${conversation.name}`, { skip }, () =>
          play(conversation, drive, packages, options),
        );
      }
    }
  }
}

/** What all of some conversations take together: none is asked again before the others are. */
function meeting(size) {
  let waiting = [];
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length < size) return;
      for (const go of waiting) go();
      waiting = [];
    });
}

async function play(conversation, drive, packages, variant) {
  const { runs, together = false, settings, servers, register, skills } = conversation;
  const app = await appWith(packages);
  const isOwn =
    [settings, servers, register, skills].some((one) => one !== undefined) || JSON.stringify(runs).includes('"syncs"');
  const catalog = () => siftOf(app, settings, { servers, register, skills });
  const shared = isOwn ? await catalog() : await catalogOf(app);
  let sift = shared;
  const meet = together ? meeting(runs.length) : () => {};

  const lead = async ({
    id = "chat",
    scope,
    replies,
    always,
    forever,
    answers,
    restarted,
    rank,
    own,
    revealed,
    expect,
    ...options
  }) => {
    if (restarted) {
      const snapshot = JSON.parse(JSON.stringify(sift.session(id).snapshot()));
      sift = await catalog();
      sift.restore(snapshot);
    }
    const session = sift.session(id, scope === undefined ? {} : { scope });
    session.reveal(revealedIn({ revealed }));
    const ending = new AbortController();
    const model = scripted({ replies, always, forever });
    const requests = [];
    const events = [];
    const ran = [];
    const heard = [];
    const about = {
      ...{ sift, id, scope, ...variant, ...options, ...rankOf({ rank }) },
      ...(own && { own: ownTools(own) }),
      script: async (request, step) => {
        requests.push(request);
        await meet();
        return model(request, step);
      },
      ran,
      answer: (dispatch) => {
        heard.push(dispatch.signal);
        return answerOf({ answers }, dispatch, sift, ending);
      },
      ...(JSON.stringify(answers)?.includes('"ends"') && { signal: ending.signal }),
      onEvent: (event) => void events.push(event),
    };
    const places = { surface: surfaceOf(settings), own: expect.own ?? own?.map((one) => one.name ?? one) };
    if (expect.rejects !== undefined) {
      await assert.rejects(agentOver(drive, app, about), (error) => {
        assert.match(`${error.message} ${error.cause?.message}`, new RegExp(expect.rejects));
        return true;
      });
      const hears = !Object.values(packages).includes(drive.withoutSignal);
      if (ending.signal.aborted && hears) assert.equal(heard.at(-1)?.aborted, true, "execute hears of the end");
      return check(expect, { requests, ran, events }, places);
    }
    const run = await agentOver(drive, app, about);
    check(expect, { ...run, events, revealed: session.revealed }, places);
    if (
      run.kept !== undefined &&
      !isOwn &&
      runs.every((one) => !one.revealed && !one.restarted && one.expect.finish !== "refused")
    ) {
      const elsewhere = (await siftOf(app)).session(id);
      elsewhere.fromMessages(run.kept.messages, { format: run.kept.format });
      if (runs.length === 1 || together)
        assert.deepEqual(elsewhere.revealed, session.revealed, "the messages alone tell of it");
    }
    if (options.prompt !== undefined) assert.equal(run.requests[0].prompt, options.prompt);
  };
  try {
    if (together) await Promise.all(runs.map(lead));
    else for (const run of runs) await lead(run);
  } finally {
    for (const { id = "chat" } of runs) shared.closeSession(id);
  }
}
