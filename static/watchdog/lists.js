// Rows of a list that are chosen together: all of the page by the box in the head, all of the list
// by a button, and how many they are. Rows may be read again, so nothing is kept but the last box.
"use strict";

(() => {
  const find = (selector) => document.querySelector(`[data-bulk] ${selector}`);
  const boxes = () => [...document.querySelectorAll("#result_list .action-select")];
  let last; // the box that was chosen last, for a range by Shift

  function tell() {
    const bar = document.querySelector("[data-bulk]");
    if (!bar) return;
    const n = boxes().filter((box) => box.checked).length;
    const toggle = document.getElementById("action-toggle");
    toggle.checked = n > 0 && n === boxes().length;
    find("[name=select_across]").value = "0";
    find("[data-count]").textContent = bar.dataset.words.replace("{n}", n);
    if (find("[data-all]")) find("[data-all]").hidden = n < boxes().length;
  }

  document.addEventListener("click", (event) => {
    for (const chip of document.querySelectorAll(".wd-chip[open]")) {
      if (!chip.contains(event.target)) chip.open = false;
    }
    if (event.target.matches("[data-all]")) {
      find("[name=select_across]").value = "1";
      find("[data-count]").textContent = event.target.textContent;
      event.target.hidden = true;
    }
    const all = boxes();
    const at = all.indexOf(event.target);
    if (at < 0) return;
    const from = all.indexOf(last);
    if (event.shiftKey && from >= 0) {
      for (const box of all.slice(Math.min(at, from), Math.max(at, from) + 1)) box.checked = event.target.checked;
    }
    last = event.target;
  });
  document.addEventListener("change", (event) => {
    if (event.target.id === "action-toggle") for (const box of boxes()) box.checked = event.target.checked;
    if (event.target.closest("#changelist-form")) tell();
  });
  document.addEventListener("htmx:afterSettle", tell);
  tell();
})();
