// Shows how far the questions of a conversation are and puts each answer in its place once it has
// been checked. Without scripts the same forms wait for the answer, and the page looks again.
"use strict";

(() => {
  const chat = document.querySelector("[data-chat]");
  if (!chat) return;
  const AGAIN = 3000; // ms between two looks where there is no stream to follow
  const said = chat.querySelector("[data-said]");
  const texts = chat.dataset;
  const say = (words) => { if (said && said.textContent !== words) said.textContent = words; };
  const turnOf = (id) => document.getElementById(`turn-${id}`);
  const pending = () => [...chat.querySelectorAll("[data-pending]")];

  function showStep(turn, step, label) {
    let ahead = false;
    const known = turn?.querySelector(`[data-step="${CSS.escape(step)}"]`);
    if (!known) return;
    for (const one of turn.querySelectorAll("[data-step]")) {
      const current = one === known;
      one.className = `wd-turn__step--${current ? "current" : ahead ? "ahead" : "done"}`;
      one.toggleAttribute("aria-current", current);
      if (current) one.setAttribute("aria-current", "step");
      ahead ||= current;
    }
    say(`${label.charAt(0).toUpperCase()}${label.slice(1)} …`);
  }

  // What the sources have brought so far, while the answer is being written.
  function showArrived(turn, found) {
    const [here, there] = [turn, found].map((one) => one.querySelector("[data-arrived]"));
    if (here && there && here.innerHTML !== there.innerHTML) here.replaceChildren(...document.adoptNode(there).childNodes);
  }

  // True once the answer stands in its place.
  async function fetchAnswer(turn) {
    if (!turn?.dataset.pending) return true;
    const answer = await fetch(turn.dataset.pending, { credentials: "same-origin", headers: { "X-Background": "1" } });
    if (answer.redirected) location.reload(); // the session is over
    if (!answer.ok || answer.redirected) return false;
    const found = new DOMParser().parseFromString(await answer.text(), "text/html").body.firstElementChild;
    if (!found) return false;
    if ("pending" in found.dataset) {
      showArrived(turn, found);
      return false;
    }
    const focused = turn.contains(document.activeElement);
    turn.replaceWith(document.adoptNode(found));
    if (focused) found.focus();
    say(texts.ready);
    return true;
  }

  async function look() {
    try {
      for (const turn of pending()) await fetchAnswer(turn);
    } catch {
      say(texts.offline);
    }
    if (pending().length) setTimeout(look, AGAIN);
  }

  function follow(address) {
    const stream = new EventSource(address);
    const data = (event) => JSON.parse(event.data);
    stream.addEventListener("step", (event) => {
      const { turn, step, label } = data(event);
      showStep(turnOf(turn), step, label);
    });
    stream.addEventListener("arrived", (event) => {
      fetchAnswer(turnOf(data(event).turn)).catch(() => say(texts.sourcesMissing));
    });
    stream.addEventListener("done", (event) => {
      fetchAnswer(turnOf(data(event).turn)).catch(() => say(texts.answerMissing));
    });
    // A question that ended before the stream began is told of by no event.
    stream.addEventListener("end", () => { stream.close(); look(); });
    stream.addEventListener("error", () => {
      if (stream.readyState !== EventSource.CLOSED) return; // it comes back by itself
      look();
    });
  }

  const form = chat.querySelector("[data-ask]");
  const stream = form?.querySelector("[data-stream]");
  if (stream) stream.disabled = false;
  form?.addEventListener("submit", () => say(texts.sent));
  form?.querySelector("textarea").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });

  // A citation opens its passage, in its place, in a sheet; where that fails, as a page.
  const sheet = chat.querySelector("[data-sheet]");
  async function openPassage(address) {
    try {
      const answer = await fetch(address, { credentials: "same-origin", headers: { "X-Background": "1" } });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const passage = page.querySelector("[data-passage]");
      if (!passage) throw new Error("no passage");
      sheet.querySelector("[data-place]").replaceChildren(document.adoptNode(passage));
      sheet.showModal();
      sheet.querySelector("mark").scrollIntoView({ block: "center" });
    } catch {
      location.assign(address);
    }
  }
  chat.addEventListener("click", (event) => {
    if (event.target === sheet) sheet.close(); // beside it
    const cite = event.target.closest?.("a[data-cite]");
    if (!cite || !sheet || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    openPassage(cite.href);
  });

  if (chat.dataset.events) follow(chat.dataset.events);
})();
