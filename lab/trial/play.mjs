/** Plays the tasks of a trial in every arm, and records each conversation when it ends. */

import { join } from "node:path";
import { step, tell } from "../../scripts/lib/progress.mjs";
import { converse } from "./converse.mjs";
import { fileOf, openRecording } from "./recording.mjs";
import { APIS } from "./wire.mjs";

/** Plays the conversations that are missing in the recordings in the folder `record`. */
export async function play({ trial, arms, player, api, model, as, set, record, parallel, rates }) {
  const { catalogs, tasks, words } = trial;
  const size = catalogs[0].length;
  const date = new Date().toISOString().slice(0, 10);
  for (const arm of arms) {
    const head = { arm: arm.name, model: as, date, size, api, format: APIS[api].format, ...(set && { set: nameOf(set) }) };
    const recording = openRecording(fileOf(join(record, String(size)), arm.name), head);
    const numbered = tasks.map((task, at) => ({ ...task, conversation: `${arm.name} ${at + 1}` }));
    const open = numbered.filter(({ id }) => !recording.done.has(id));
    await step(`${arm.name}, ${size} tools: ${open.length} of ${tasks.length} tasks`, async () => {
      const stages = catalogs.map((entries) => () => arm.open(entries, words));
      let ended = 0;
      await inParallel(open, parallel, async (task) => {
        const stage = await once(stages, task.catalog);
        const { conversation } = task;
        let asked = 0;
        const ask = (request) => {
          asked += 1;
          return player.ask({ id: `${conversation}/${asked}`, conversation, api, request });
        };
        const needs = task.needs.map((group) => namesOf(stage, group));
        const host = stage.host(task.id, task.text);
        const talk = await converse({
          host,
          stage,
          api: APIS[api],
          model,
          text: task.text,
          right: needs.flat(),
          ask,
          rates,
        });
        recording.add({ task: task.id, text: task.text, needs, also: namesOf(stage, task.also), ...talk });
        ended += 1;
        if (ended % 10 === 0 && ended < open.length) tell(`  … ${ended} conversations have ended`);
      });
    });
  }
}

const namesOf = (stage, labels) => labels.flatMap((label) => stage.names.get(label) ?? []);
const nameOf = (folder) =>
  folder
    .replace(/[\\/]+$/, "")
    .split(/[\\/]/)
    .at(-1);

/** Runs the function at an index of a list once, and stores its result there. */
function once(list, at) {
  if (typeof list[at] === "function") list[at] = list[at]();
  return list[at];
}

async function inParallel(items, most, work) {
  const left = [...items];
  const next = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, next));
}
