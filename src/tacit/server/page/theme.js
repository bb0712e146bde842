// Before the page is painted: the theme chosen last, else the system's.
(() => {
  let chosen = null;
  try { chosen = localStorage.getItem("tacit-theme"); } catch { /* storage is off */ }
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
})();
