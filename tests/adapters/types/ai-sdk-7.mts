import { toolSearch } from "ai";
await siftTools(sift, { tools: { ...tools, web_search: openai.tools.webSearch({}) } });
toolSearch({ search: sifted.search });
await generateText({
  model,
  prompt: "Go on.",
  runtimeContext: { user: "ada" },
  ...conversation,
  onStepEnd: ({ runtimeContext }) => void (runtimeContext.user satisfies string),
});
