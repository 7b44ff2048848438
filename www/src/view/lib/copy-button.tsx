import { useState } from "preact/hooks";

const RESULTS = { copied: "Copied", failed: "Not allowed here" };

/** Copies a text, and says whether that worked. */
export function CopyButton({ text, label }: { text: () => string; label: string }) {
  const [result, setResult] = useState<keyof typeof RESULTS | null>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setResult("copied");
    } catch {
      setResult("failed");
    }
    setTimeout(() => setResult(null), 2000);
  };
  return (
    <button type="button" class="button small" onClick={() => void copy()} aria-label={label}>
      <span aria-live="polite">{result === null ? "Copy" : RESULTS[result]}</span>
    </button>
  );
}
