// Runs before the first paint, so that a chosen theme does not flash in the other one, and the overview that stands in the
// page is not shown in another view or in place of somebody's own tools.
try {
  const chosen = localStorage.getItem("toolsift-theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
  if (localStorage.getItem("toolsift-own") !== null) document.documentElement.dataset.wait = "";
} catch {
  // Storage may be forbidden; the system's theme then holds.
}
if (!/^(#\/overview|#\/?$|$)/.test(location.hash) || location.hash.includes("?")) document.documentElement.dataset.wait = "";
