/** An embedding model that runs in this process: all-MiniLM-L6-v2, 384 numbers a text, 23 MB, downloaded on first use. */

import { pipeline } from "@huggingface/transformers";
import { embeddings } from "toolsift/embed";

const MODEL = "Xenova/all-MiniLM-L6-v2";

/**
 * The ranker. With an index, its tools are not embedded again.
 *
 * @param {Uint8Array} [index]
 */
export async function localRanker(index) {
  const extract = await pipeline("feature-extraction", MODEL, { dtype: "q8" });
  return embeddings({
    // The version of the weights is a part of the name: other weights are another model.
    model: `${MODEL}@q8`,
    // The processor is busy with one batch; a second one at once would only wait.
    batch: 32,
    concurrency: 1,
    embed: async (texts) => {
      const vectors = await extract([...texts], { pooling: "mean", normalize: true });
      return vectors.tolist();
    },
    ...(index && { index }),
  });
}
