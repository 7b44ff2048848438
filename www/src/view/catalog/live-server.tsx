import { useState } from "preact/hooks";
import { useStore } from "../../app/use-store.ts";
import { exportLine, nameOfUrl, readUrl, shownUrl, whyNot } from "../../model/live-server.ts";
import { CopyButton } from "../lib/copy-button.tsx";

interface Trouble {
  why: string;
  /** What to run in a terminal instead; null where the address is wrong. */
  line: string | null;
}

/** The tools of a server that runs: by its URL, with a token that stays in memory. */
export function LiveServer() {
  const store = useStore();
  const [url, setUrl] = useState("");
  const [token, setToken] = useState("");
  const [asking, setAsking] = useState(false);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const ask = async () => {
    const read = readUrl(url);
    if ("problem" in read) return setTrouble({ why: read.problem, line: null });
    setAsking(true);
    setTrouble(null);
    try {
      const { name: called, tools } = await store.core.workshop().listServer(read.url.href, token.trim());
      if (tools.length === 0) throw new Error("its list of tools is empty");
      const taken = await store.takeText(
        JSON.stringify({ tools }),
        called.trim() || nameOfUrl(read.url),
        shownUrl(read.url),
      );
      if (!taken) return;
      setUrl("");
      setToken("");
    } catch (error) {
      const hasToken = token.trim() !== "";
      setTrouble({ why: whyNot(error, hasToken), line: exportLine(read.url, hasToken) });
    } finally {
      setAsking(false);
    }
  };
  return (
    <div class="door">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void ask();
        }}
      >
        <label class="field">
          <span class="field-name">URL of an MCP server (Streamable HTTP)</span>
          <input
            type="url"
            inputMode="url"
            autocomplete="off"
            spellcheck={false}
            placeholder="https://mcp.example.com/mcp"
            value={url}
            onInput={(event) => setUrl(event.currentTarget.value)}
          />
        </label>
        <label class="field">
          <span class="field-name">Bearer token, if it wants one: sent to this server alone, and not kept</span>
          <input type="password" autocomplete="off" value={token} onInput={(event) => setToken(event.currentTarget.value)} />
        </label>
        <button type="submit" class="button" disabled={asking || url.trim() === ""}>
          {asking ? "Asking …" : "List its tools"}
        </button>
      </form>
      {trouble && (
        <div role="alert">
          <p class="problem">{trouble.why}</p>
          {trouble.line && (
            <>
              <p class="hint">This line writes its tools into a file. Drop the file here.</p>
              <div class="one-line">
                <code>{trouble.line}</code>
                <CopyButton text={() => trouble.line ?? ""} label="Copy the line" />
              </div>
            </>
          )}
        </div>
      )}
    </div>
  );
}
