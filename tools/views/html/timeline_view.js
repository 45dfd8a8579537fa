"use strict";
// A timeline answers pointer and keys: it moves, finds, selects and explains.
(() => {
  const source = document.getElementById("timeline-data");
  if (source === null) {
    return;
  }
  const { Model, SLICE, duration, exact, counted, grouped, describe } = vkmTimeline;
  const model = new Model(JSON.parse(source.textContent));
  const LEAST_NS = 20; // the narrowest view

  const make = (tag, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };
  const button = (text, title, act) => {
    const made = make("button", { type: "button", textContent: text, title });
    made.addEventListener("click", act);
    return made;
  };

  const canvas = make("canvas", { tabIndex: 0, id: "timeline-canvas" });
  const frame = make("div", { className: "timeline-frame" }, canvas);
  const details = make("div", { className: "timeline-details", id: "timeline-details" });
  const tip = make("div", { className: "timeline-tip", hidden: true });
  const status = make("output", { className: "faint", id: "timeline-status" });
  const search = make("input", { type: "search", id: "timeline-search" });
  canvas.setAttribute("role", "application");
  canvas.setAttribute("aria-label", "Timeline. Left and right move, plus and minus zoom, up and " +
    "down change the row, n and p go to the next and previous, 0 shows everything.");
  canvas.setAttribute("aria-describedby", "timeline-details");
  details.setAttribute("aria-live", "polite");

  // What is in view, what is selected (place), which row the keys move in; `names`: by name,
  // whether it is searched for, null: nothing is.
  const state = { from: 0, to: model.span, place: null, row: null, names: null, found: [],
    colors: {}, width: 0, pending: false };
  const drawing = vkmTimelineDrawing(model, canvas, frame, state);
  const { AXIS, ROW, COLORS, families, rows, placeAt, timeOf } = drawing;
  state.row = rows[0] ?? null;
  window.vkmeterTimeline = { state, model, drawing }; // for who looks from the console

  function redraw() {
    if (!state.pending) {
      state.pending = true;
      requestAnimationFrame(() => {
        state.pending = false;
        drawing.draw();
        status.textContent = `${duration(state.to - state.from)} from ${duration(state.from)} ` +
          `on, of ${duration(model.span)}` +
          (state.names === null ? "" : `; ${grouped(state.found.length)} found`);
      });
    }
  }

  // ---- moving ----

  function view(from, to) {
    const span = Math.min(Math.max(to - from, LEAST_NS), model.span);
    const begin = Math.min(Math.max(from, 0), model.span - span);
    Object.assign(state, { from: begin, to: begin + span });
    redraw();
  }

  function zoom(factor, time = (state.from + state.to) / 2) {
    const span = Math.min(Math.max((state.to - state.from) * factor, LEAST_NS), model.span);
    const part = (time - state.from) / (state.to - state.from);
    view(time - part * span, time - part * span + span);
  }

  const pan = (part) => {
    const by = (state.to - state.from) * part;
    view(state.from + by, state.to + by);
  };

  function reveal({ row, at }) {
    const begin = row.begin(at);
    const length = Math.max(row.end(at) - begin, 1);
    const span = state.to - state.from;
    if (length / span < 0.005 || length > span) {
      view(begin - 12 * length, begin + 13 * length);
    } else if (begin < state.from || row.end(at) > state.to) {
      view(begin + length / 2 - span / 2, begin + length / 2 + span / 2);
    }
    const top = row.y - frame.scrollTop;
    if (top < AXIS || top > frame.clientHeight - ROW) {
      frame.scrollTop = row.y - frame.clientHeight / 2;
    }
  }

  // ---- choosing ----

  function table(facts) {
    return make("dl", {}, ...facts.flatMap(([what, text]) => [
      make("dt", { textContent: what }), make("dd", { textContent: text })]));
  }

  function select(place) {
    state.place = place;
    details.replaceChildren();
    if (place !== null) {
      state.row = place.row;
      const { submits, work, waits } = model.related(place);
      const facts = describe(model, place);
      if (submits.length + waits.length + work.length > 0) {
        facts.push(["submitted by", submits.map(model.nameOf, model).join(", ") ||
          "not in this timeline"]);
        facts.push(["device work", grouped(work.length)]);
        facts.push(["seen finished by", waits.map((wait) => `${model.nameOf(wait)}, at ` +
          exact(wait.row.end(wait.at))).join(", ") || "no call"]);
      }
      details.append(make("strong", { textContent: model.nameOf(place) || "without a name" }),
        table(facts));
    } else {
      details.append(make("p", { className: "faint", textContent: "Nothing is selected." }));
    }
    redraw();
  }

  function step(by) {
    if (state.names !== null && state.found.length > 0) {
      stepFound(by);
      return;
    }
    const { row } = state;
    if (row === null || row.indices.length === 0) {
      return;
    }
    const here = state.place?.row === row ? state.place.at + by
      : row.find((state.from + state.to) / 2, Infinity) ?? 0;
    const at = Math.min(Math.max(here, 0), row.indices.length - 1);
    const place = { track: row.track, row, at };
    select(place);
    reveal(place);
  }

  function stepFound(by) {
    const now = state.found.findIndex(({ row, at }) => row === state.place?.row &&
      at === state.place.at);
    const count = state.found.length;
    const place = state.found[now < 0 ? (by > 0 ? 0 : count - 1) : (now + by + count) % count];
    select(place);
    reveal(place);
  }

  // The next row up or down that holds anything; on it what lies nearest to the middle.
  function changeRow(by) {
    let at = rows.indexOf(state.row) + by;
    while (rows[at] && rows[at].indices.length === 0) {
      at += by;
    }
    if (rows[at]) {
      const middle = state.place ? state.place.row.begin(state.place.at)
        : (state.from + state.to) / 2;
      const place = { track: rows[at].track, row: rows[at], at: rows[at].find(middle, Infinity) };
      select(place);
      reveal(place);
    }
  }

  function find() {
    const words = search.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
    state.names = words.length === 0 ? null : Uint8Array.from(model.names, (name) =>
      words.every((word) => name.toLowerCase().includes(word)) ? 1 : 0);
    state.found = state.names === null ? [] : rows.filter((row) => row.type === SLICE)
      .flatMap((row) => Array.from(row.indices, (_, at) => ({ track: row.track, row, at }))
        .filter(({ at }) => state.names[row.of.name[row.indices[at]]] === 1));
    state.found.sort((a, b) => a.row.begin(a.at) - b.row.begin(b.at));
    redraw();
  }

  // ---- pointer and keys ----

  const keys = {
    ArrowLeft: () => pan(-0.2), ArrowRight: () => pan(0.2), a: () => pan(-0.2), d: () => pan(0.2),
    ArrowUp: () => changeRow(-1), ArrowDown: () => changeRow(1),
    "+": () => zoom(0.7), "=": () => zoom(0.7), w: () => zoom(0.7),
    "-": () => zoom(1 / 0.7), s: () => zoom(1 / 0.7),
    n: () => step(1), p: () => step(-1), 0: () => view(0, model.span),
    Home: () => view(0, state.to - state.from),
    End: () => view(model.span - (state.to - state.from), model.span),
    f: () => state.place && fit(state.place),
    "/": () => search.focus(),
    Escape: () => (state.place === null ? canvas.blur() : select(null)),
  };

  function fit({ row, at }) {
    const length = Math.max(row.end(at) - row.begin(at), LEAST_NS);
    view(row.begin(at) - length / 10, row.end(at) + length / 10);
  }

  addEventListener("scroll", () => { tip.hidden = true; }, { passive: true, capture: true });
  canvas.addEventListener("keydown", (event) => {
    tip.hidden = true;
    const act = keys[event.key];
    if (act && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      act();
    }
  });

  // The page scrolls until the timeline is chosen, by a click or the tab key.
  canvas.addEventListener("wheel", (event) => {
    if (document.activeElement !== canvas && !event.ctrlKey) {
      return;
    }
    if (event.shiftKey) {
      return;
    }
    event.preventDefault();
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      pan(event.deltaX / state.width);
    } else {
      zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY / 300))), timeOf(event.offsetX));
    }
  }, { passive: false });

  const pointers = new Map();
  let moved = 0;
  canvas.addEventListener("pointerdown", (event) => {
    pointers.set(event.pointerId, event.offsetX);
    moved = 0;
    tip.hidden = true;
    canvas.setPointerCapture(event.pointerId);
  });

  function drag(event) {
    const before = pointers.get(event.pointerId);
    if (pointers.size === 2) {
      const other = Array.from(pointers).find(([id]) => id !== event.pointerId)[1];
      const now = Math.max(Math.abs(event.offsetX - other), 8);
      zoom(Math.max(Math.abs(before - other), 8) / now, timeOf(other));
    } else {
      pan((before - event.offsetX) / state.width);
    }
    moved += Math.abs(event.offsetX - before);
    pointers.set(event.pointerId, event.offsetX);
  }

  function hover(event) {
    const place = placeAt(event.offsetX, event.offsetY);
    const counter = drawing.counterAt(event.offsetY);
    tip.hidden = place === null && !counter;
    if (place !== null) {
      tip.replaceChildren(make("strong", { textContent: model.nameOf(place) }),
        table(describe(model, place)));
    } else if (counter) {
      const value = drawing.valueAt(counter, timeOf(event.offsetX));
      tip.replaceChildren(make("strong", { textContent: counter.title }),
        table([["value", value === null ? "\u2013" : counted(value, counter.unit)]]));
    }
    if (!tip.hidden) {
      const right = event.clientX > innerWidth / 2;
      tip.style.left = right ? "" : `${event.clientX + 14}px`;
      tip.style.right = right ? `${document.documentElement.clientWidth - event.clientX + 14}px`
        : "";
      const low = event.clientY > innerHeight / 2;
      tip.style.top = low ? "" : `${event.clientY + 14}px`;
      tip.style.bottom = low ? `${innerHeight - event.clientY + 14}px` : "";
    }
  }

  canvas.addEventListener("pointermove", (event) =>
    (pointers.has(event.pointerId) ? drag(event) : hover(event)));
  canvas.addEventListener("pointerup", (event) => {
    if (pointers.delete(event.pointerId) && moved < 4) {
      select(placeAt(event.offsetX, event.offsetY));
    }
  });
  canvas.addEventListener("pointercancel", (event) => pointers.delete(event.pointerId));
  canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
  canvas.addEventListener("dblclick", (event) => {
    const place = placeAt(event.offsetX, event.offsetY);
    if (place !== null) {
      fit(place);
    }
  });

  // ---- the rest of the section ----

  search.addEventListener("input", find);
  search.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      stepFound(event.shiftKey ? -1 : 1);
    }
  });

  const legend = make("ul", { className: "timeline-legend" }, ...families.map(([name, ns], at) => {
    const mark = make("span", { className: `swatch family-${Math.min(at, COLORS - 1)}` });
    mark.setAttribute("aria-hidden", "true");
    return make("li", {}, mark, `${name} ${duration(ns)}`);
  }));

  // Each row of the table of gaps shows its gap.
  document.querySelectorAll("#timeline-gaps tbody tr").forEach((row, at) => {
    const [begin, end] = model.data.gaps[at] ?? [];
    if (end !== undefined) {
      row.cells[0].append(" ", button("show", "show in the timeline", () => {
        const length = Math.max(end - begin, LEAST_NS);
        view(begin - length / 2, end + length / 2);
        canvas.scrollIntoView({ block: "nearest" });
        canvas.focus({ preventScroll: true });
      }));
    }
  });

  document.getElementById("timeline").append(
    make("div", { className: "tools" },
      make("label", { htmlFor: search.id, textContent: "Search device work" }), search,
      button("\u2039", "previous (p)", () => step(-1)), button("\u203a", "next (n)",
        () => step(1)),
      button("+", "zoom in (+)", () => zoom(0.5)), button("\u2212", "zoom out (-)",
        () => zoom(2)),
      button("All", "show everything (0)", () => view(0, model.span)), status),
    frame, details, legend,
    make("p", { className: "faint", textContent: "Click the timeline, then: wheel or + \u2212 " +
      "zoom, drag or \u2190 \u2192 move, \u2191 \u2193 change the row, n p next and previous, " +
      "f fits what is selected, 0 everything, / search." }), tip);
  drawing.readColors();
  select(null);
  new ResizeObserver(redraw).observe(frame);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    drawing.readColors();
    redraw();
  });
})();
