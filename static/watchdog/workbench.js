// Keys of the workbench. Everything they do has a button or a field of its own, which works
// without scripts; an element names its key by `data-key`.
"use strict";

(() => {
  const STORE = "watchdog-keys";
  const LEAVING = ["decide", "skip", "snooze", "assign"]; // what brings the next item
  let bench, form, keys, switched; // of the item that is shown
  const isText = (found) => found.matches("textarea, select, input:not([type=radio], [type=checkbox])");

  function start() {
    bench = document.querySelector("[data-bench]");
    form = bench.querySelector("[data-decide]");
    keys = document.getElementById("keys");
    switched = bench.querySelector("[data-keys-on]");
    if (switched) {
      switched.checked = localStorage.getItem(STORE) !== "off";
      switched.addEventListener("change", () => {
        localStorage.setItem(STORE, switched.checked ? "on" : "off");
      });
    }
    bench.querySelector("[data-open-keys]")?.addEventListener("click", moves["?"]);
    if (form) {
      form.addEventListener("change", (event) => {
        if (event.target.name === "decision") offerCodes();
      });
      offerCodes();
    }
    bench.querySelector("[role=alert]:not([hidden])")?.focus();
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
    if (!bench || sending) return;
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

  // The next item is loaded while this one is read, without taking its lease. The server gives the
  // lease with the decision, and says whether what was loaded is what it gave; if so, it is shown
  // at once, and if not, the browser goes to what was given instead.
  let loaded; // { stamp, page } of the next item, or undefined
  let wanted; // the loading that counts: an earlier one may come in later
  let sending = false;

  async function loadAhead() {
    loaded = undefined;
    delete bench.dataset.loaded;
    const mine = wanted = Symbol("loading");
    if (!bench.dataset.ahead) return;
    try {
      const response = await fetch(bench.dataset.ahead, { headers: { "X-Background": "1" } });
      if (response.status !== 200 || response.redirected) return;
      const page = parse(await response.text());
      if (mine !== wanted || !page.bench) return;
      loaded = { stamp: page.bench.dataset.stamp, page };
      bench.dataset.loaded = loaded.stamp;
    } catch { /* without it the next item is loaded when it is due */ }
  }

  function parse(text) {
    const whole = new DOMParser().parseFromString(text, "text/html");
    return { title: whole.title, bench: whole.querySelector("[data-bench]"), crumbs: whole.querySelector(".breadcrumbs") };
  }

  // Somebody else may have taken it since: each draft that is saved says what is next now.
  document.addEventListener("htmx:afterSwap", () => {
    const state = document.querySelector("#draft-state[data-ahead-now]");
    if (!state) return;
    const { aheadNow } = state.dataset;
    delete state.dataset.aheadNow; // it speaks of the moment in which it came
    if (aheadNow !== (loaded?.stamp ?? "")) loadAhead();
  });

  document.addEventListener("submit", (event) => {
    const sent = event.target;
    if (!bench.dataset.ahead || !LEAVING.includes(event.submitter?.value) || !bench.contains(sent)) return;
    event.preventDefault();
    if (!sending) send(sent, event.submitter);
  });

  async function send(sent, button) {
    sending = true;
    const ahead = loaded; // a draft that comes back meanwhile may replace it
    try {
      const response = await fetch(location.href, {
        method: "POST", body: new URLSearchParams(new FormData(sent, button)),
        headers: { "X-Ahead": ahead?.stamp ?? "none" },
      });
      const next = response.headers.get("X-Go");
      if (next) {
        location.assign(next);
        return; // still sending: no key counts until the page is there
      }
      const text = await response.text();
      if (ahead && response.headers.get("X-Ahead") === ahead.stamp) showLoaded(ahead.page, text);
      else if (!showRefused(text)) location.reload(); // the log-in page: the session is over
    } catch {
      bench.querySelector("[data-unsent]").hidden = false;
    }
    sending = false;
  }

  function showLoaded(page, changes) {
    for (const part of new DOMParser().parseFromString(changes, "text/html").querySelectorAll("[id]")) {
      page.bench.querySelector(`#${CSS.escape(part.id)}`)?.replaceWith(part);
    }
    history.pushState(null, "", page.bench.dataset.here);
    show(page);
    window.scrollTo(0, 0);
    bench.querySelector("h1").focus();
    loadAhead();
  }

  function showRefused(text) {
    const page = parse(text);
    if (page.bench) show(page);
    return Boolean(page.bench);
  }

  function show(page) {
    document.title = page.title;
    if (page.crumbs) document.querySelector(".breadcrumbs")?.replaceWith(page.crumbs);
    document.querySelector("ul.messagelist")?.remove(); // it spoke of the item before
    bench.replaceWith(page.bench);
    for (const field of document.querySelectorAll(".wd-frame__language [name=next]")) field.value = location.pathname + location.search;
    htmx.process(page.bench);
    start();
    document.dispatchEvent(new Event("watchdog:item"));
  }

  window.addEventListener("popstate", () => location.reload());

  if (document.querySelector("[data-bench]")) {
    start();
    loadAhead();
  }
})();
