"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("data").textContent);
  const root = document.documentElement;
  const NS = "http://www.w3.org/2000/svg";

  // ---- light and dark
  const isDark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const turn = () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    try { localStorage.setItem("theme", root.dataset.theme); } catch { /* a page from a file may keep nothing */ }
  };
  $("theme").addEventListener("click", turn);
  const showKeys = () => {
    $("keys").hidden = !$("keys").hidden;
    $("help").setAttribute("aria-expanded", String(!$("keys").hidden));
    if (!$("keys").hidden) $("keys").scrollIntoView({ block: "nearest" });  // the key works wherever the page stands
  };
  $("help").addEventListener("click", showKeys);

  // ---- the table
  const rows = [...document.querySelectorAll("#rows tbody tr")];
  let on = -1;
  const go = (by) => {
    if (!rows.length) return;
    rows[on]?.classList.remove("on");
    on = Math.max(0, Math.min(rows.length - 1, on + by));
    rows[on].classList.add("on");
    rows[on].focus();
  };
  const toSource = () => rows[on]?.querySelector("a")?.click();

  // ---- the timeline
  const box = $("timeline");
  const LABEL = 92, LANE = 34, TOP = 22;
  const streams = [...new Set(data.works.map((work) => work[2]))].sort((a, b) => a - b);
  const lanes = ["host", "loader, optimizer", ...streams.map((stream) => `GPU, stream ${stream}`)];
  const height = TOP + lanes.length * LANE + 4;
  let from = 0, to = data.length || 1;
  const make = (tag, attributes, into) => {
    const made = document.createElementNS(NS, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    into.append(made);
    return made;
  };
  let picture, marks, scale;
  const bar = (lane, start, time, kind, words) => {
    const made = make("rect", { x: start, y: TOP + lane * LANE + 3, width: Math.max(time, 0.2), height: LANE - 8, class: kind }, picture);
    made.words = words;
    make("title", {}, made).textContent = words;
  };
  const inWords = (what, at, time) => `${what}${at ? "  " + at : ""}  ${time >= 1000 ? (time / 1000).toFixed(2) + " ms" : time.toFixed(1) + " µs"}`;
  const draw = () => {
    const svg = make("svg", { height, role: "img", "aria-label": "Timeline of one step" }, box);
    scale = make("g", {}, svg);
    lanes.forEach((lane, index) => { make("text", { x: 6, y: TOP + index * LANE + 20 }, svg).textContent = lane; });
    picture = make("svg", { x: LABEL + 20, y: 0, height, preserveAspectRatio: "none" }, svg);
    const name = (number) => data.names[number];
    for (const [start, time, called, at] of data.spans) bar(1, start, time, name(called).startsWith("enumerate") ? "load" : "talk", inWords(name(called), name(at), time));
    for (const [start, time, kind, called, at] of data.calls) bar(0, start, time, kind ? "wait" : "launch", inWords((kind ? "waits: " : "") + name(called), name(at), time));
    for (const [start, time, stream, called, at] of data.works) bar(2 + streams.indexOf(stream), start, time, /nccl/i.test(name(called)) ? "talk" : "busy", inWords(name(called), name(at), time));
    marks = svg;
    picture.addEventListener("pointerover", (event) => { if (event.target.words) $("detail").textContent = event.target.words; });
    view();
  };
  const view = () => {
    const width = Math.max(100, box.clientWidth - LABEL - 20);
    picture.setAttribute("width", width);
    picture.setAttribute("viewBox", `${from} 0 ${to - from} ${height}`);
    scale.replaceChildren();
    const raw = (to - from) / 8, power = 10 ** Math.floor(Math.log10(raw));
    const unit = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= raw);
    for (let at = Math.ceil(from / unit) * unit; at <= to; at += unit) {
      const x = LABEL + 20 + (at - from) / (to - from) * width;
      make("line", { x1: x, x2: x, y1: 16, y2: height, class: "grid" }, scale);
      make("text", { x: x + 3, y: 13 }, scale).textContent = unit >= 100 ? `${+(at / 1000).toFixed(2)} ms` : `${+at.toFixed(2)} µs`;
    }
  };
  const zoom = (factor, around = (from + to) / 2) => {
    const length = Math.max(1, Math.min(data.length, (to - from) * factor));
    from = Math.max(0, Math.min(data.length - length, around - (around - from) / (to - from) * length));
    to = from + length;
    view();
  };
  const move = (share) => {
    const length = to - from;
    from = Math.max(0, Math.min(data.length - length, from + share * length));
    to = from + length;
    view();
  };
  if (box && data.length) {
    draw();
    addEventListener("resize", view);
    const at = (event) => from + (event.clientX - box.getBoundingClientRect().left - LABEL - 20) / Math.max(1, box.clientWidth - LABEL - 20) * (to - from);
    box.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return;
      event.preventDefault();
      zoom(event.deltaY > 0 ? 1.25 : 0.8, at(event));
    }, { passive: false });
    let held = null;
    box.addEventListener("pointerdown", (event) => { held = event.clientX; });
    addEventListener("pointerup", () => { held = null; });
    box.addEventListener("pointermove", (event) => {
      if (held === null) return;
      move((held - event.clientX) / Math.max(1, box.clientWidth - LABEL - 20));
      held = event.clientX;
    });
    box.addEventListener("dblclick", (event) => zoom(0.4, at(event)));
  }

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /INPUT|TEXTAREA|SELECT/.test(event.target.tagName)) return;
    const does = {
      j: () => go(1), k: () => go(-1), d: turn, "?": showKeys,
      "+": () => zoom(0.6), "=": () => zoom(0.6), "-": () => zoom(1 / 0.6),
      0: () => { from = 0; to = data.length; view(); },
      ArrowLeft: () => move(-0.2), ArrowRight: () => move(0.2),
    };
    if (event.key === "Enter" && event.target.closest("#rows tr")) toSource();
    else if (does[event.key] && (box || !/^[-+=0A]/.test(event.key))) does[event.key]();
    else return;
    event.preventDefault();
  });
})();
