// Draws each chart of the dashboard from the table beside it; the table is what counts.
"use strict";

(() => {
  const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3], [5, 2], [1, 2], [12, 4], [3, 6], [6, 2, 2, 2]];
  const MOST_ACROSS = 15;
  const charts = [];
  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;

  const palette = (element) => {
    const probe = element.appendChild(document.createElement("span"));
    const read = (name) => {
      probe.style.color = `var(${name})`; // resolves light-dark() for the scheme of `element`
      return getComputedStyle(probe).color;
    };
    const series = Array.from({ length: 9 }, (_, at) => read(`--wd-s${at + 1}`));
    const actions = { BLOCK: read("--wd-bad"), WARN: read("--wd-unsure"), ALLOW: read("--wd-good") };
    const found = { ink: read("--wd-ink"), grid: read("--wd-grid"), paper: read("--wd-paper"), series, actions };
    probe.remove();
    return found;
  };

  const words = (cell) => (cell ? cell.textContent.trim() : "");

  const readTable = (figure) => {
    const table = figure.querySelector("table");
    const drawn = Number(figure.dataset.drawn);
    const across = figure.dataset.chart === "across";
    const rows = [...table.tBodies[0].rows].slice(0, across ? MOST_ACROSS : undefined);
    const heads = [...table.tHead.rows[0].cells].slice(1, 1 + drawn).map(words);
    return {
      labels: rows.map((row) => words(row.cells[0])),
      cells: heads.map((_, at) => rows.map((row) => row.cells[at + 1])),
      heads,
    };
  };

  const numberIn = (cell) => (cell.dataset.value === undefined ? null : Number(cell.dataset.value));

  const datasets = (kind, read, colours) =>
    read.heads.map((label, at) => ({
      label,
      data: read.cells[at].map(numberIn),
      backgroundColor: colours.actions[label] ?? colours.series[at % 9],
      borderColor: kind === "lines" ? (colours.actions[label] ?? colours.series[at % 9]) : colours.paper,
      borderWidth: kind === "lines" ? 2 : kind === "stack" ? 1 : 0,
      borderDash: kind === "lines" ? DASHES[at % 9] : [],
      pointRadius: kind === "lines" && read.labels.length < 40 ? 2 : 0,
      spanGaps: true,
      maxBarThickness: 96,
    }));

  // Vertical lines: changes (numbered, in the middle of their step) and thresholds (at an edge).
  const lines = (figure) => {
    const numbers = new Map();
    figure.querySelectorAll(".wd-marks li").forEach((item, at) => {
      const place = Number(item.dataset.at) + 0.5;
      numbers.set(place, [...(numbers.get(place) || []), at + 1]);
    });
    const marks = [...numbers].map(([at, some]) => ({
      at, text: some.length > 2 ? `${some[0]}–${some.at(-1)}` : some.join(", "),
    }));
    const edges = [...figure.querySelectorAll(".wd-lines li")].map((item) => ({
      at: Number(item.dataset.at), text: words(item),
    }));
    return [...marks, ...edges];
  };

  const drawLines = (figure) => ({
    id: "lines",
    afterDatasetsDraw(chart) {
      const { ctx, chartArea, data } = chart;
      const step = (chartArea.right - chartArea.left) / data.labels.length;
      ctx.save();
      ctx.strokeStyle = ctx.fillStyle = chart.options.color;
      ctx.font = `12px ${Chart.defaults.font.family}`;
      for (const line of lines(figure)) {
        const x = Math.min(chartArea.left + line.at * step, chartArea.right);
        ctx.setLineDash([4, 3]);
        ctx.beginPath();
        ctx.moveTo(x, chartArea.top);
        ctx.lineTo(x, chartArea.bottom);
        ctx.stroke();
        const width = ctx.measureText(line.text).width;
        const left = x + 3 + width > chartArea.right ? x - 3 - width : x + 3;
        ctx.fillText(line.text, left, chartArea.top - 4); // above the bars, whatever their colour
      }
      ctx.restore();
    },
  });

  const axes = (kind, unit, colours) => {
    const shared = { ticks: { color: colours.ink }, grid: { color: colours.grid } };
    const { lang } = document.documentElement;
    const formatted = (value) => (unit === "%"
      ? (value / 100).toLocaleString(lang, { style: "percent", maximumFractionDigits: 1 })
      : `${Number(value).toLocaleString(lang)}${unit ? ` ${unit}` : ""}`);
    const names = { ...shared, stacked: kind === "stack", offset: true, grid: { display: false } };
    const numbers = {
      ...shared,
      stacked: kind === "stack",
      beginAtZero: true,
      ticks: { color: colours.ink, callback: formatted, precision: unit ? undefined : 0 },
    };
    return kind === "across" ? { x: numbers, y: names } : { x: names, y: numbers };
  };

  const options = (figure, read, colours) => ({
    animation: false,
    maintainAspectRatio: false,
    layout: { padding: { top: lines(figure).length ? 16 : 0 } },
    color: colours.ink,
    indexAxis: figure.dataset.chart === "across" ? "y" : "x",
    interaction: { mode: "index", axis: figure.dataset.chart === "across" ? "y" : "x", intersect: false },
    scales: axes(figure.dataset.chart, figure.dataset.unit, colours),
    plugins: {
      legend: { display: figure.dataset.chart === "stack" || read.heads.length > 1, position: "bottom", labels: { color: colours.ink } },
      tooltip: {
        callbacks: {
          label: (item) => `${item.dataset.label}: ${words(read.cells[item.datasetIndex][item.dataIndex])}`,
        },
      },
    },
    // A bar or point leads to the list of its cell, as the link in the table does.
    onClick: (event, _, chart) => {
      const [hit] = chart.getElementsAtEventForMode(event, "nearest", { intersect: true }, false);
      const link = hit && read.cells[hit.datasetIndex][hit.index].querySelector("a");
      if (link) link.click();
    },
    onHover: (event, hits) => {
      event.native.target.style.cursor = hits.length ? "pointer" : "default";
    },
  });

  const draw = (figure) => {
    const read = readTable(figure);
    const colours = palette(document.body);
    const holder = figure.querySelector(".wd-chart");
    const canvas = document.createElement("canvas");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-labelledby", figure.querySelector("h2").id);
    if (figure.dataset.chart === "across") holder.style.height = `${read.labels.length * 26 + 50}px`;
    holder.append(canvas);
    const kind = figure.dataset.chart;
    const chart = new Chart(canvas, {
      type: kind === "lines" ? "line" : "bar",
      data: { labels: read.labels, datasets: datasets(kind, read, colours) },
      options: options(figure, read, colours),
      plugins: [drawLines(figure)],
    });
    charts.push({ chart, figure, read });
  };

  const recolour = (element) => {
    const colours = palette(element);
    for (const { chart, figure, read } of charts) {
      chart.data.datasets = datasets(figure.dataset.chart, read, colours);
      chart.options = options(figure, read, colours);
      chart.update("none");
    }
  };

  const onPaper = (print) => {
    const light = document.createElement("span");
    light.className = "wd-print";
    document.body.append(light);
    recolour(print ? light : document.body);
    light.remove();
    for (const { chart } of charts) chart.resize(...(print ? [680, chart.height] : []));
  };

  const choosePeriod = (bar) => {
    const period = bar.querySelector("[name=days]");
    if (!period) return;
    for (const day of bar.querySelectorAll("[type=date]")) {
      day.addEventListener("change", () => { period.value = "dates"; });
    }
  };

  document.querySelectorAll(".wd-bar").forEach(choosePeriod);
  document.querySelectorAll(".wd-figure[data-chart]").forEach(draw);
  document.documentElement.dataset.charts = String(charts.length);
  window.addEventListener("beforeprint", () => onPaper(true));
  window.addEventListener("afterprint", () => onPaper(false));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => recolour(document.body));
  new MutationObserver(() => recolour(document.body)).observe(
    document.documentElement, { attributes: true, attributeFilter: ["data-theme"] },
  );
})();
