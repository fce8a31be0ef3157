// Keys of the review screen. Everything they do has a button, a link or a field of its own, which
// works without scripts; an element names its key by `data-key`.
"use strict";

(() => {
  const STORE = "watchdog-keys";
  const LEAVING = ["skip", "snooze", "assign"]; // what brings the next item, beside a decision
  const AGREEING = ["confirmed", "approved"]; // what needs no reason
  const READ_MS = 2000; // who looks at an item for so long reads it: it is reserved for them
  let bench, form, switched; // of the item that is shown
  let reading; // timer until the item counts as read
  const isText = (found) => found.matches("textarea, select, input:not([type=radio], [type=checkbox])");

  function start() {
    bench = document.querySelector("[data-bench]");
    form = bench.querySelector("[data-decide]");
    switched = bench.querySelector("[data-keys-on]");
    if (switched) {
      switched.checked = localStorage.getItem(STORE) !== "off";
      switched.addEventListener("change", () => {
        localStorage.setItem(STORE, switched.checked ? "on" : "off");
      });
    }
    clearTimeout(reading);
    if (form) {
      const beat = form.querySelector("[data-beat]");
      reading = setTimeout(() => htmx.trigger(beat, "watchdog:read"), READ_MS);
      arm(form.dataset.armed ?? "");
    }
    bench.querySelector(".wd-queue [aria-current]")?.scrollIntoView({ block: "nearest" });
    bench.querySelector("[role=alert]:not([hidden])")?.focus();
  }

  // A decision that needs a reason waits for it: then only its reasons are offered, each by a digit.
  function arm(decision) {
    form.toggleAttribute("data-armed", Boolean(decision));
    for (const button of form.querySelectorAll("[name=decision]")) {
      button.toggleAttribute("data-armed", button.value === decision);
      button.toggleAttribute("data-key", !decision);
      if (!decision) button.dataset.key = button.querySelector("kbd").textContent;
    }
    let digit = 0;
    for (const label of form.querySelectorAll("[data-codes] [data-for]")) {
      const box = label.querySelector("input");
      const fits = !decision || !label.dataset.for || label.dataset.for === decision;
      label.hidden = !fits;
      if (!fits) box.checked = false;
      const has = Boolean(decision) && fits && ++digit < 10;
      label.querySelector("[data-digit]").textContent = has ? digit : "";
      box.toggleAttribute("data-key", has);
      if (has) box.dataset.key = digit;
    }
    if (decision) form.querySelector("[data-codes]").open = digit > 0;
    const line = form.querySelector("[data-say]"), words = digit ? line.dataset.words : line.dataset.note;
    line.textContent = decision && !AGREEING.includes(decision) ? words : "";
  }

  // How long the evidence was looked at: with the pointer or the focus in it, or in the sources.
  setInterval(() => {
    const count = form?.querySelector("[name=evidence_seconds]");
    const looked = ".wd-sentence__evidence:is(:hover, :focus-within), #sources[open]";
    if (count && document.hasFocus() && bench.querySelector(looked)) count.value = Number(count.value) + 1;
  }, 1000);

  const armed = () => form?.querySelector("[name=decision][data-armed]");
  const isReasoned = (decision) => AGREEING.includes(decision) || form.querySelector("#note").value.trim()
    || form.querySelector(`[data-for="${decision}"] :checked, [data-for=""] :checked`);

  function use(found) {
    if (found.matches("textarea, input:not([type=radio], [type=checkbox])")) {
      const folded = found.closest("details");
      if (folded) folded.open = true;
      found.focus();
    } else if (found.matches("[type=checkbox]")) {
      found.checked = true;
      form.requestSubmit(armed()); // the digit is the answer to "why"
    } else found.click();
    if (found.matches("summary") && found.parentElement.open) {
      found.parentElement.querySelector("textarea, input")?.focus();
    }
  }

  // Claims: the one that has the focus is the one that is judged.
  const rows = () => [...bench.querySelectorAll("[data-row]")];
  const current = () => document.activeElement?.closest("[data-row]");

  function step(by) {
    const all = rows();
    if (!all.length) return;
    const next = all[Math.min(all.length - 1, Math.max(0, all.indexOf(current()) + by))] || all[0];
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "center" });
  }

  function judge(agree) {
    const row = current() || rows()[0];
    const select = row?.querySelector("select");
    if (!select) return;
    const first = [...select.options].findIndex((option) => option.value === "agree");
    const further = select.selectedIndex > first ? select.selectedIndex + 1 : first + 1;
    select.selectedIndex = agree ? first : further % select.options.length || first + 1;
    select.dispatchEvent(new Event("change", { bubbles: true }));
    row.focus();
  }

  // Another item of the list, without a new page.
  function goBy(by) {
    const links = [...bench.querySelectorAll("[data-go]")];
    const at = links.findIndex((link) => link.matches("[aria-current]"));
    const link = links[at < 0 ? 0 : at + by];
    if (link) goTo(link.href);
  }

  async function goTo(address) {
    if (sending) return;
    sending = true;
    try {
      const response = await fetch(address);
      const page = parse(await response.text());
      if (!response.ok || response.redirected || !page.bench) {
        location.assign(address);
        return;
      }
      history.pushState(null, "", address);
      showItem(page);
    } catch {
      location.assign(address);
    }
    sending = false;
  }

  const moves = {
    j: () => goBy(1),
    k: () => goBy(-1),
    n: () => step(1),
    p: () => step(-1),
    a: () => judge(true),
    x: () => judge(false),
    Enter: () => armed() && form.requestSubmit(armed()),
    Escape: () => form && arm(""),
  };

  document.addEventListener("keydown", (event) => {
    if (!bench || sending) return;
    const focused = document.activeElement || document.body;
    if (event.key === "Enter" && event.ctrlKey && form?.contains(focused)) {
      event.preventDefault();
      moves.Enter();
      return;
    }
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (document.querySelector("dialog[open]")) return;
    if (isText(focused)) {
      if (event.key === "Escape") focused.blur();
      if (event.key === "Enter" && focused.dataset.key === "s") {
        event.preventDefault(); // a form sends with its first button, which here is another
        focused.parentElement.querySelector("button").click();
      }
      return;
    }
    if (event.key === "Enter" && focused.matches("a, button, summary")) return;
    if (switched && !switched.checked && event.key !== "?" && event.key !== "Enter") return;
    const named = bench.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
    const move = named ? () => use(named) : moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  });

  document.addEventListener("click", (event) => {
    if (!bench || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const opener = event.target.closest("[data-open]");
    const link = event.target.closest("[data-go]");
    if (opener) document.getElementById(opener.dataset.open).showModal();
    if (link) goTo(link.href);
    if (opener || link) event.preventDefault();
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
    const mine = Symbol("loading");
    wanted = mine;
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
    return { title: whole.title, bench: whole.querySelector("[data-bench]") };
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
    const sent = event.target, button = event.submitter;
    if (!bench.contains(sent) || !button) return;
    if (button.name === "decision") {
      arm(button.value);
      if (!isReasoned(button.value)) {
        event.preventDefault();
        if (!form.querySelector("[data-codes] [data-digit]:not(:empty)")) form.querySelector("#note").focus();
        return;
      }
    }
    if (!bench.dataset.ahead || !(button.name === "decision" || LEAVING.includes(button.value))) return;
    event.preventDefault();
    if (!sending) send(sent, button);
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
    showItem(page);
  }

  function showItem(page) {
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
    document.querySelector("ul.messagelist")?.remove(); // it spoke of the item before
    bench.replaceWith(page.bench);
    for (const field of document.querySelectorAll(".wd-frame__language [name=next]")) field.value = location.pathname + location.search;
    htmx.process(page.bench);
    start();
  }

  window.addEventListener("popstate", () => location.reload());

  if (document.querySelector("[data-bench]")) {
    start();
    loadAhead();
  }
})();
