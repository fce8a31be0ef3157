// What works on every page: copy buttons, and a menu that closes when one clicks elsewhere.
"use strict";

(() => {
  const CONFIRMED_MS = 2000;

  async function copy(button) {
    const label = button.textContent;
    await navigator.clipboard.writeText(button.dataset.copy ?? document.getElementById(button.dataset.copyFrom).textContent);
    button.textContent = button.dataset.copied;
    setTimeout(() => { button.textContent = label; }, CONFIRMED_MS);
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy], [data-copy-from]");
    if (button) {
      event.preventDefault();
      copy(button);
    }
    for (const menu of document.querySelectorAll(".wd-frame__menu[open]")) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });

  // On a phone the row of pages scrolls sideways: the current one is in view.
  document.querySelector(".wd-frame nav [aria-current]")?.scrollIntoView({block: "nearest", inline: "center"});

  document.addEventListener("keydown", (event) => {
    const menu = event.key === "Escape" && document.querySelector(".wd-frame__menu[open]");
    if (!menu) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
})();
