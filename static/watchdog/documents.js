// Files that are dropped on a collection, or chosen: uploaded one after the other, each with its
// progress and what became of it; then the rows are read again.
"use strict";

(() => {
  const form = document.getElementById("drop");
  if (!form) return;
  const chosen = form.elements.file;
  const list = form.querySelector("ul");
  const waiting = [];
  let isBusy = false;

  function add(files) {
    for (const file of files) {
      const item = list.appendChild(document.createElement("li"));
      const bar = document.createElement("progress");
      bar.setAttribute("aria-label", file.name);
      bar.value = 0;
      item.append(file.name, " ", bar);
      if (file.size > Number(form.dataset.most)) fail(bar, form.dataset.large);
      else waiting.push([file, bar]);
    }
    if (!isBusy) next();
  }

  function fail(bar, words) {
    bar.parentElement.classList.add("wd-late");
    bar.replaceWith(words);
  }

  function next() {
    isBusy = waiting.length > 0;
    if (!isBusy) {
      // The element stays: a second reading that waits for the first has it as its target.
      htmx.ajax("GET", location.href, {target: "#rows", select: "#rows > *", swap: "innerHTML"});
      return;
    }
    const [file, bar] = waiting.shift();
    const body = new FormData(form);
    body.set("file", file);
    const request = new XMLHttpRequest();
    request.upload.addEventListener("progress", (event) => { bar.value = event.loaded / event.total; });
    request.addEventListener("loadend", () => {
      if (request.status === 200 && request.responseURL === form.action) bar.outerHTML = request.responseText;
      else fail(bar, form.dataset.failed);
      next();
    });
    request.open("POST", form.action);
    request.send(body);
  }

  chosen.addEventListener("change", () => {
    add(chosen.files);
    chosen.value = "";
  });
  for (const name of ["dragenter", "dragover", "dragleave", "drop"]) {
    form.addEventListener(name, (event) => {
      event.preventDefault();
      form.classList.toggle("wd-drop--over", name === "dragenter" || name === "dragover");
      if (name === "drop") add(event.dataTransfer.files);
    });
  }
})();
