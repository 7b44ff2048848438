import { useLayoutEffect, useState } from "preact/hooks";

const KEY = "toolsift-theme";

type Theme = "system" | "light" | "dark";

/** Each theme with its icon (half a disc, a sun, a moon), and the theme after the next press. */
const THEMES: Record<Theme, { path: string; filled?: string; next: Theme }> = {
  system: { path: "M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14z", filled: "M10 3a7 7 0 0 1 0 14z", next: "light" },
  light: {
    path:
      "M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z" +
      "M10 1v2.5M10 16.5V19M1 10h2.5M16.5 10H19" +
      "M3.6 3.6l1.8 1.8M14.6 14.6l1.8 1.8M3.6 16.4l1.8-1.8M14.6 5.4l1.8-1.8",
    next: "dark",
  },
  dark: { path: "M16.5 12.2A7 7 0 0 1 7.8 3.5a7 7 0 1 0 8.7 8.7z", next: "system" },
};

/** The button that switches the theme. The choice is stored if storage is allowed. */
export function ThemeToggle() {
  // The page was rendered before the choice was known.
  const [theme, setTheme] = useState<Theme>("system");
  useLayoutEffect(() => setTheme(current()), []);
  const { path, filled, next } = THEMES[theme];
  const choose = () => {
    setTheme(next);
    if (next === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = next;
    try {
      if (next === "system") localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, next);
    } catch {
      // Without storage, the choice is lost when the visitor leaves the page.
    }
  };
  const label = `Theme: ${theme}. Switch to ${next}.`;
  return (
    <button type="button" class="theme" aria-label={label} title={label} onClick={choose}>
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <path d={path} />
        {filled && <path class="filled" d={filled} />}
      </svg>
    </button>
  );
}

function current(): Theme {
  const chosen = document.documentElement.dataset["theme"];
  return chosen === "light" || chosen === "dark" ? chosen : "system";
}
