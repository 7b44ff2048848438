/** Runs an adapter whose SDK has no loop, with `runTools` or the adapter's `toolsift()`. */

/**
 * @param way the application, the adapter's entry, catalog and session, and whether the way leads through the `door`
 * @param model makes the adapter's model, of its module
 * @param through leads the run of an open door
 * @param options those of `runTools`
 */
export async function led({ app, adapter, sift, session, door = false }, model, through, options) {
  const module = await app.load(adapter);
  if (!door) {
    const { runTools } = await app.load("toolsift");
    return runTools(session, { ...model(module), ...options });
  }
  const { maxSteps, signal, ...others } = options;
  const open = await module.toolsift({ sift, ...others });
  try {
    return await through(open, { maxSteps, signal });
  } finally {
    await open.close();
  }
}

/** The session of a run. */
export const sessionOf = ({ sift, id, scope }) => sift.session(id, scope === undefined ? {} : { scope });

/** What a host keeps of a conversation. */
export const jsonOf = (messages, format) => ({ messages: JSON.parse(JSON.stringify(messages)), format });
