import { useStore } from "../../app/use-store.ts";
import { pretty } from "../../model/json.ts";
import { optionsOf } from "../../model/settings.ts";
import { CopyButton } from "../lib/copy-button.tsx";

/** The code for the settings as they are. */
export function UseIt() {
  const { inForce } = useStore().snapshot;
  const code = `import { ToolSift } from "toolsift";

const sift = new ToolSift(${pretty(optionsOf(inForce))});
sift.register((await mcpClient.listTools()).tools, { server: "github" });

const session = sift.session("chat-42");
const { tools, systemPrompt } = session.assemble({ format: ${JSON.stringify(inForce.format)} });`;
  return (
    <section class="card use-it" aria-labelledby="use-title">
      <header class="card-head">
        <h1 id="use-title">Use it</h1>
        <CopyButton text={() => code} label="Copy the code" />
      </header>
      <p class="hint">
        Install it with <code>npm install toolsift</code>.
      </p>
      <pre class="code" tabIndex={0} role="region" aria-label="Code">
        {code}
      </pre>
    </section>
  );
}
