await generateText(
  sift.with("chat", {
    model,
    prompt: "Go on.",
    instructions: "Be kind.",
    runtimeContext: { user: "ada" },
    repairToolCall: async ({ toolCall }) => ({ ...toolCall, toolName: toolCall.toolName.toLowerCase() }),
    onStepEnd: ({ text }) => console.log(text.length),
  }),
);
