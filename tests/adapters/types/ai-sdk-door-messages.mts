declare const message: InferAgentUIMessage<typeof agent>;
for (const part of message.parts) {
  if (part.type === "tool-weather" && part.state === "output-available") part.output.degrees satisfies number;
}
