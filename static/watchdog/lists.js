// Rows of a list that are chosen together: all of the page by the box in the head, all of the list
// by a button, and how many they are.
"use strict";

(() => {
  const bar = document.querySelector("[data-bulk]");
  document.addEventListener("click", (event) => {
    for (const chip of document.querySelectorAll(".wd-chip[open]")) {
      if (!chip.contains(event.target)) chip.open = false;
    }
  });
  if (!bar) return;
  const form = bar.closest("form");
  const boxes = [...form.querySelectorAll(".action-select")];
  const toggle = document.getElementById("action-toggle");
  const all = bar.querySelector("[data-all]");
  const across = bar.querySelector("[name=select_across]");
  let last; // the box that was chosen last, for a range by Shift

  function tell() {
    const n = boxes.filter((box) => box.checked).length;
    toggle.checked = n > 0 && n === boxes.length;
    across.value = "0";
    bar.querySelector("[data-count]").textContent = bar.dataset.words.replace("{n}", n);
    if (all) all.hidden = n < boxes.length;
  }

  form.addEventListener("click", (event) => {
    const at = boxes.indexOf(event.target);
    if (at < 0) return;
    if (event.shiftKey && last !== undefined) {
      for (const box of boxes.slice(Math.min(at, last), Math.max(at, last) + 1)) box.checked = event.target.checked;
    }
    last = at;
  });
  form.addEventListener("change", (event) => {
    if (event.target === toggle) for (const box of boxes) box.checked = toggle.checked;
    tell();
  });
  all?.addEventListener("click", () => {
    across.value = "1";
    bar.querySelector("[data-count]").textContent = all.textContent;
    all.hidden = true;
  });
  tell();
})();
