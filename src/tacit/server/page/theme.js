// Before the first paint: apply the theme that was chosen on an earlier visit, if any.
(() => {
  let theme = null;
  try { theme = localStorage.getItem("tacit-theme"); } catch { /* storage is disabled */ }
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
})();
