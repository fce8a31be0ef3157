// Opens a claim's table beside the answer. HTMX fetches it; this says when, and where the focus
// goes. Without scripts the same links open the page with that claim chosen.
"use strict";

function openClaims() {
  const view = document.querySelector("[data-view]");
  if (!view) return;
  const PAUSE = 200; // ms that the focus must rest on a claim: tabbing through fetches nothing
  let resting; // timer of the claim that has the focus
  let follow = false; // whether the focus goes to what is fetched
  let opener; // where the reader came from

  const panel = () => document.getElementById("claim");
  const shown = () => panel()?.dataset.shows;
  const line = view.querySelector("[data-status]"); // also holds the words, in the reader's language
  const say = (words) => { line.textContent = words; };
  const isPanel = (event) => event.detail.target?.id === "claim";

  function markChosen() {
    for (const mark of view.querySelectorAll("[data-claim]")) {
      mark.toggleAttribute("data-chosen", mark.dataset.claim === shown());
    }
  }

  function goToPanel() {
    follow = false;
    panel().focus();
  }

  // Focus by the keyboard opens; a click or a tap is answered below.
  view.addEventListener("focusin", (event) => {
    clearTimeout(resting);
    const mark = event.target.closest("[data-claim]");
    if (!mark?.matches(":focus-visible") || mark.dataset.claim === shown()) return;
    resting = setTimeout(() => {
      opener = mark;
      htmx.trigger(mark, "show");
    }, PAUSE);
  });
  view.addEventListener("focusout", () => clearTimeout(resting));

  // In the capturing phase, so that what is open already is not fetched again.
  view.addEventListener("click", (event) => {
    const link = event.target.closest("[data-claim], [data-step], [data-back]");
    if (!link) return;
    clearTimeout(resting);
    if ("back" in link.dataset) {
      event.preventDefault();
      goBack();
      return;
    }
    follow = true;
    if ("step" in link.dataset) return;
    opener = link;
    if (link.dataset.claim === shown()) {
      event.preventDefault();
      event.stopPropagation();
      goToPanel();
    }
  }, true);

  function goBack() {
    const mark = view.querySelector(`[data-answer] [data-claim="${shown()}"]`);
    const back = mark || (opener?.isConnected ? opener : document.getElementById("answer-title"));
    back.focus();
  }

  view.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && panel()?.contains(event.target)) goBack();
  });

  view.addEventListener("htmx:beforeSwap", (event) => {
    const answered = new URL(event.detail.xhr.responseURL || location.href);
    if (answered.pathname === location.pathname) return;
    event.preventDefault(); // the log-in page, since the session is over
    location.reload();
  });

  view.addEventListener("htmx:afterSwap", (event) => {
    if (!isPanel(event)) {
      follow = false;
      markChosen();
      document.getElementById(event.detail.target.id)?.focus();
      return;
    }
    markChosen();
    if (follow) {
      say("");
      goToPanel();
    } else {
      const title = panel().querySelector(".wd-claim__title")?.textContent.replace(/\s+/g, " ").trim();
      say(`${title}: ${line.dataset.shown} ${line.dataset.enter}`);
    }
  });

  for (const failure of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
    view.addEventListener(failure, (event) => {
      follow = false;
      const status = event.detail.xhr?.status;
      say(status === 410 ? line.dataset.expired : line.dataset.failed);
    });
  }

  markChosen();
}

openClaims();
