// Keys of the workbench. Everything they do has a button or a field of its own, which works
// without scripts; an element names its key by `data-key`.
"use strict";

(() => {
  const bench = document.querySelector("[data-bench]");
  if (!bench) return;
  const STORE = "watchdog-keys";
  const form = bench.querySelector("[data-decide]");
  const keys = document.getElementById("keys");
  const switched = bench.querySelector("[data-keys-on]");
  const isText = (found) => found.matches("textarea, select, input:not([type=radio], [type=checkbox])");

  if (switched) {
    switched.checked = localStorage.getItem(STORE) !== "off";
    switched.addEventListener("change", () => {
      localStorage.setItem(STORE, switched.checked ? "on" : "off");
    });
  }

  // Only the reasons for the chosen decision are offered, each by a digit.
  function offerCodes() {
    const chosen = form.querySelector("[name=decision]:checked")?.value;
    let digit = 0;
    for (const label of form.querySelectorAll("[data-codes] [data-for]")) {
      const box = label.querySelector("input");
      const fits = Boolean(chosen) && (!label.dataset.for || label.dataset.for === chosen);
      label.hidden = !fits;
      if (!fits) box.checked = false;
      digit += fits ? 1 : 0;
      label.querySelector("[data-digit]").textContent = fits && digit < 10 ? digit : "";
      box.toggleAttribute("data-key", false);
      if (fits && digit < 10) box.dataset.key = digit;
    }
    form.querySelector("[data-codes]").hidden = digit === 0;
  }

  function use(found) {
    if (found.matches("textarea, input:not([type=radio], [type=checkbox])")) found.focus();
    else found.click();
    if (found.matches("summary") && found.parentElement.open) {
      found.parentElement.querySelector("textarea").focus();
    }
  }

  // Claims: the row that has the focus is the one that is judged.
  const rows = () => [...bench.querySelectorAll("[data-row]")];
  const current = () => document.activeElement?.closest("[data-row]");

  function step(by) {
    const all = rows();
    if (!all.length) return;
    const at = all.indexOf(current());
    const next = all[Math.min(all.length - 1, Math.max(0, at + by))] || all[0];
    next.focus();
    htmx.trigger(next.querySelector("[data-show]"), "show");
  }

  function judge(agree) {
    const row = current() || rows()[0];
    if (!row) return;
    const select = row.querySelector("select");
    const first = [...select.options].findIndex((option) => option.value === "agree");
    const further = select.selectedIndex > first ? select.selectedIndex + 1 : first + 1;
    select.selectedIndex = agree ? first : further % select.options.length || first + 1;
    select.dispatchEvent(new Event("change", { bubbles: true }));
    row.focus();
  }

  const moves = {
    "?": () => keys?.showModal(),
    j: () => step(1),
    k: () => step(-1),
    a: () => judge(true),
    x: () => judge(false),
    Enter: () => form?.requestSubmit(form.querySelector("[data-send]")),
  };

  document.addEventListener("keydown", (event) => {
    const focused = document.activeElement || document.body;
    if (event.key === "Enter" && event.ctrlKey && form?.contains(focused)) {
      event.preventDefault();
      moves.Enter();
      return;
    }
    if (event.key === "Escape" && isText(focused)) focused.blur();
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (isText(focused) || keys?.open) return;
    if (event.key === "Enter" && focused.matches("a, button, summary")) return;
    if (switched && !switched.checked && event.key !== "?" && event.key !== "Enter") return;
    const named = bench.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
    const move = named ? () => use(named) : moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  });

  bench.querySelector("[data-open-keys]")?.addEventListener("click", moves["?"]);
  bench.querySelector("[role=alert]")?.focus();
  if (form) {
    form.addEventListener("change", (event) => {
      if (event.target.name === "decision") offerCodes();
    });
    offerCodes();
  }
})();
