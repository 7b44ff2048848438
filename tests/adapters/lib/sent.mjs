/** What a model for `runTools` sends, without a vendor. */

/**
 * The body of one request.
 *
 * @param make makes the model of a client, whose every method takes a body
 * @param request the data of the request, as `runTools` passes them
 */
export async function sentBy(make, request) {
  const isSent = new Error("sent");
  let body;
  const take = async (given) => {
    body = given;
    throw isSent;
  };
  const vendor = { create: take, stream: take, generateContent: take, generateContentStream: take };
  const client = { chat: { completions: vendor }, responses: vendor, messages: vendor, models: vendor };
  try {
    await make(client).send(request);
  } catch (error) {
    if (error !== isSent) throw error;
  }
  return body;
}
