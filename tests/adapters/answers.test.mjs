/**
 * What does the model read of answers that are no short text, over every adapter?
 *
 * 1. Images, audio and files never reach it as base64 text: where the vendor takes no image, it reads type and size.
 * 2. An answer that is longer than the bound is cut, the model is told how much there is and what to do, and `false` is no bound.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { allOrLast, isFull } from "../../scripts/lib/full.mjs";
import { allDrives } from "./lib/all.mjs";
import { appWith } from "./lib/app.mjs";
import { add, call } from "./lib/calls.mjs";
import { script } from "./lib/contract.mjs";
import { agentOver, catalogOf } from "./lib/tools.mjs";

/** Base64 of so many bytes, told apart by its letter. */
const base64 = (letter, bytes) => letter.repeat((bytes * 4) / 3);

const MEDIA = {
  content: [
    { type: "text", text: "Heard:" },
    { type: "audio", mimeType: "audio/wav", data: base64("Q", 300_000) },
    { type: "image", mimeType: "image/tiff", data: base64("R", 1_500_000) },
    { type: "resource", resource: { uri: "file:///a.pdf", mimeType: "application/pdf", blob: base64("S", 900) } },
  ],
};
const READ = [
  "Heard:",
  "(audio/wav, 300 KB, not shown)",
  "(image/tiff, 1.5 MB, not shown)",
  "(file:///a.pdf, application/pdf, 900 bytes, not shown)",
].join("\n");
const OTHERS = {
  photo: `data:image/png;base64,${base64("T", 3_000)}`,
  bytes: Buffer.alloc(900, "U"),
  view: new Uint8Array(90),
};
const OTHERS_READ = {
  photo: "(image/png, 3 KB, not shown)",
  bytes: "(data, 900 bytes, not shown)",
  view: "(data, 90 bytes, not shown)",
};

for (const drive of await allDrives()) {
  for (const packages of allOrLast(drive.versions)) {
    const label = `${drive.adapter}, ${drive.road} (${Object.values(packages).join(", ")}): `;

    /** One call of a tool that answers so: what the model reads, and all that was sent. */
    async function read(answer, options = {}) {
      const app = await appWith(packages);
      const sift = await catalogOf(app);
      try {
        const about = { sift, answer: () => answer, script: script([add("read_graph")], [call("read_graph")]), ...options };
        const { requests } = await agentOver(drive, app, about);
        return { answer: requests[2].answers[0], sent: JSON.stringify(requests[2].body) };
      } finally {
        sift.session("chat").close();
      }
    }

    test(`${label}no half of a surrogate pair reaches the model`, async () => {
      const { answer: text } = await read("a\ud800b\udc00c\ud83c\udfbad\udbff");
      assert.ok(text.includes("a\ufffdb\ufffdc\ud83c\udfbad\ufffd"), text);
    });

    test(`${label}audio, files and images of rare kinds are named with type and size`, async () => {
      // AI SDK hands images of every kind on to its providers.
      const isAiSdk = drive.adapter === "toolsift/ai-sdk";
      const media = isAiSdk ? { content: MEDIA.content.filter(({ type }) => type !== "image") } : MEDIA;
      const { answer, sent } = await read(media);
      assert.equal(answer, isAiSdk ? READ.replace(/\(image.*\n/, "") : READ);
      for (const letter of "QRS") assert.ok(!sent.includes(letter.repeat(100)));
    });

    test(`${label}data URLs and bytes in JSON are named with type and size`, async () => {
      const { answer } = await read(OTHERS);
      assert.deepEqual(JSON.parse(answer), OTHERS_READ);
    });

    test(`${label}an answer far beyond the bound is cut, whatever its form`, async () => {
      const long = "ab".repeat(isFull ? 2_500_000 : 250_000);
      for (const answer of [long, { content: [{ type: "text", text: long }] }, { rows: [long] }]) {
        const { answer: text, sent } = await read(answer);
        assert.ok(text.length <= 100_000 && text.length > 99_990);
        const [, kept, all] = /\[Cut: these are the first (\d+) of (\d+) characters\. .* call the tool again for less/.exec(
          text,
        );
        assert.equal(text.indexOf("\n\n[Cut"), Number(kept));
        assert.equal(Number(all), long.length + (answer.rows ? 13 : 0));
        assert.ok(sent.length < 200_000);
      }
    });

    test(`${label}the bound is the host's to choose, and false is none`, async () => {
      const long = "\u{1F600}".repeat(1_000);
      const { answer } = await read(long, { maxAnswerChars: 501 });
      assert.ok(answer.length <= 501 && answer.isWellFormed() && answer.includes("of 2000 characters"));
      assert.equal((await read(long, { maxAnswerChars: 2_000 })).answer, long);
      const longer = "x".repeat(150_000);
      assert.equal((await read(longer, { maxAnswerChars: false })).answer, longer);
      for (const maxAnswerChars of [0, 10, 1.5, "all", true]) {
        await assert.rejects(read(long, { maxAnswerChars }), /maxAnswerChars/);
      }
    });
  }
}
