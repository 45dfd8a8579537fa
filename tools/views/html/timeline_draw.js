"use strict";
// Draws a timeline on a canvas. Only what is in view is drawn; what is narrower than a pixel is
// gathered in that pixel, high as far as it is busy.
const vkmTimelineDrawing = (model, canvas, frame, state) => {
  const { CALL, SLICE, duration, counted } = vkmTimeline;
  const HEAD = 18; // heights in CSS pixels: the name of a track, a row, a counter, the axis
  const ROW = 20;
  const COUNTER = 36;
  const AXIS = 24;
  const GAP = 6;
  const LINES = 100; // submissions that lines are drawn for
  const COLORS = 8;
  const context = canvas.getContext("2d");

  // ---- families and their colors; the names stand beside them ----

  const families = (() => {
    const busy = new Map();
    model.tracks.filter(({ kind }) => kind === "work").forEach(({ of }) => {
      of.begin.forEach((begin, index) => {
        const name = model.familyOf(of, index) || model.names[of.kind[index]] || "other";
        busy.set(name, (busy.get(name) ?? 0) + of.end[index] - begin);
      });
    });
    return Array.from(busy).sort((a, b) => b[1] - a[1]);
  })();
  const colorOf = new Map(families.map(([name], at) => [name, Math.min(at, COLORS - 1)]));

  // ---- layout ----

  let height = AXIS;
  model.tracks.forEach((track) => {
    track.y = height;
    height += HEAD + (track.kind === "counter" ? COUNTER : ROW * Math.max(track.rows.length, 1)) +
      GAP;
    track.rows.forEach((row, at) => {
      row.y = track.y + HEAD + at * ROW;
      row.track = track;
    });
  });
  const rows = model.tracks.flatMap((track) => track.rows);

  function readColors() {
    const style = getComputedStyle(document.documentElement);
    const read = (name) => style.getPropertyValue(name).trim();
    state.colors = { back: read("--back"), text: read("--text"), faint: read("--faint"),
      line: read("--line"), head: read("--head"), focus: read("--focus"), call: read("--call"),
      label: read("--label"), warn: read("--warn"),
      family: Array.from({ length: COLORS }, (_, at) => read(`--family-${at}`)) };
  }

  const xOf = (time) => (time - state.from) / (state.to - state.from) * state.width;
  const timeOf = (x) => state.from + x / state.width * (state.to - state.from);
  const perPixel = () => (state.to - state.from) / Math.max(state.width, 1);

  function colorAt(row, index) {
    if (row.type !== SLICE) {
      return row.type === CALL ? state.colors.call : state.colors.label;
    }
    const name = model.familyOf(row.of, index) || model.names[row.of.kind[index]] || "other";
    return state.colors.family[colorOf.get(name) ?? COLORS - 1];
  }

  const matches = (row, index) => state.names === null || (row.type === SLICE &&
    state.names[row.of.name[index]] === 1);

  // ---- drawing ----

  function drawText(text, x, y, room) {
    if (room < 24) {
      return;
    }
    const width = context.measureText(text).width;
    if (width <= room - 8) {
      context.fillText(text, x + 4, y);
      return;
    }
    const letters = Math.floor(text.length * (room - 16) / width);
    if (letters > 2) {
      context.fillText(`${text.slice(0, letters)}\u2026`, x + 4, y);
    }
  }

  // What ends within the pixel in which it began: one bar a pixel, high as far as it is busy.
  class Gathered {
    constructor(row) {
      this.row = row;
      this.pixel = -1;
    }

    add(pixel, busy, index) {
      if (pixel !== this.pixel) {
        this.draw();
        Object.assign(this, { pixel, busy: 0, longest: -1, index, match: false });
      }
      this.busy += busy;
      this.match ||= matches(this.row, index);
      if (busy > this.longest) {
        this.longest = busy;
        this.index = index;
      }
    }

    draw() {
      if (this.pixel >= 0) {
        const high = Math.max(3, (ROW - 3) * Math.min(1, this.busy / perPixel()));
        context.globalAlpha = this.match ? 1 : 0.2;
        context.fillStyle = colorAt(this.row, this.index);
        context.fillRect(this.pixel, this.row.y + ROW - 2 - high, 1, high);
        context.globalAlpha = 1;
      }
      this.pixel = -1;
    }
  }

  function drawOne(row, index, left, right) {
    const begin = Math.max(left, -2);
    const wide = Math.max(Math.min(right, state.width + 2) - begin, 1);
    context.globalAlpha = matches(row, index) ? 1 : 0.2;
    context.fillStyle = colorAt(row, index);
    context.fillRect(begin, row.y + 1, Math.max(wide - (wide > 3 ? 0.5 : 0), 0.5), ROW - 3);
    context.fillStyle = state.colors.back;
    drawText(model.names[row.of.name[index]] ?? "", Math.max(begin, 0), row.y + ROW / 2 + 3.5,
      Math.min(right, state.width) - Math.max(begin, 0));
    context.globalAlpha = 1;
  }

  function drawRow(row) {
    const gathered = new Gathered(row);
    const count = row.indices.length;
    for (let at = row.first(state.from); at < count; at++) {
      const index = row.indices[at];
      const begin = row.of.begin[index];
      if (begin > state.to) {
        break;
      }
      const left = xOf(begin);
      const right = xOf(row.of.end[index]);
      if (right - left < 1) {
        gathered.add(Math.max(0, Math.floor(left)), row.of.end[index] - begin, index);
      } else {
        gathered.draw();
        drawOne(row, index, left, right);
      }
    }
    gathered.draw();
  }

  function drawCounter(track) {
    const { at, value, most } = track;
    const base = track.y + HEAD + COUNTER - 4;
    const heightOf = (each) => most > 0 ? each / most * (COUNTER - 6) : 0;
    let index = lastBefore(at, state.from);
    let before = index >= 0 ? value[index] : 0;
    context.beginPath();
    context.moveTo(0, base);
    context.lineTo(0, base - heightOf(before));
    let pixel = -1;
    for (index++; index < at.length && at[index] <= state.to; index++) {
      const x = xOf(at[index]);
      if (Math.floor(x) !== pixel) { // of many values in one pixel the first and the last
        context.lineTo(x, base - heightOf(before));
        context.lineTo(x, base - heightOf(value[index]));
        pixel = Math.floor(x);
      } else if (index + 1 === at.length || Math.floor(xOf(at[index + 1])) !== pixel) {
        context.lineTo(x, base - heightOf(value[index]));
      }
      before = value[index];
    }
    context.lineTo(state.width, base - heightOf(before));
    context.lineTo(state.width, base);
    context.fillStyle = state.colors.label;
    context.globalAlpha = 0.55;
    context.fill();
    context.globalAlpha = 1;
  }

  // The last of ascending times that is not behind `time`; -1: none.
  function lastBefore(times, time) {
    let low = 0;
    let high = times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle] <= time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  function drawAxis() {
    const wanted = perPixel() * 110;
    const power = 10 ** Math.floor(Math.log10(wanted));
    const step = Math.max(1, [1, 2, 5, 10].map((each) => each * power)
      .find((each) => each >= wanted));
    context.fillStyle = state.colors.head;
    context.fillRect(0, 0, state.width, AXIS - 4);
    context.fillStyle = state.colors.faint;
    context.strokeStyle = state.colors.line;
    context.beginPath();
    for (let time = Math.ceil(state.from / step) * step; time <= state.to; time += step) {
      const x = Math.round(xOf(time)) + 0.5;
      context.moveTo(x, 0);
      context.lineTo(x, height);
      context.fillText(tick(time, step), x + 3, 14);
    }
    context.stroke();
  }

  // As many digits as tell a tick from its neighbours, in the unit that all in view share.
  function tick(time, step) {
    const units = [[1e9, "s"], [1e6, "ms"], [1e3, "\u00b5s"], [1, "ns"]];
    const [size, unit] = units.find(([each]) => state.to >= each) ?? units[3];
    const digits = Math.max(0, Math.ceil(Math.log10(size / step)));
    return `${(time / size).toFixed(digits)} ${unit}`;
  }

  function drawTrack(track) {
    context.fillStyle = state.colors.faint;
    const most = track.kind === "counter" ? ` (up to ${counted(track.most, track.unit)})` : "";
    drawText(track.title + most, 0, track.y + 13, state.width);
    if (track.kind === "counter") {
      drawCounter(track);
    } else {
      track.rows.forEach(drawRow);
    }
    context.fillStyle = state.colors.warn;
    (track.instants ?? []).forEach(([at]) => {
      const x = xOf(at);
      if (x >= 0 && x <= state.width) {
        context.beginPath();
        context.moveTo(x - 4, track.y + HEAD - 6);
        context.lineTo(x + 4, track.y + HEAD - 6);
        context.lineTo(x, track.y + HEAD + 2);
        context.fill();
      }
    });
  }

  const boxOf = ({ row, at }) => ({ left: xOf(row.begin(at)),
    right: Math.max(xOf(row.end(at)), xOf(row.begin(at)) + 2), top: row.y,
    middle: row.y + ROW / 2 });

  // Around a place; where it is too narrow for that, below it.
  function outline(place, wide) {
    const { left, right, top } = boxOf(place);
    if (right < 0 || left > state.width) {
      return;
    }
    const begin = Math.max(left, -4);
    const end = Math.min(right, state.width + 4);
    if (end - begin < 5) {
      context.fillStyle = state.colors.text;
      context.fillRect(begin, top + ROW - 2, Math.max(end - begin, 1), 2);
    } else {
      context.lineWidth = wide;
      context.strokeStyle = state.colors.text;
      context.strokeRect(begin - 0.5, top + 0.5, end - begin + 1, ROW - 2);
      context.lineWidth = 1;
    }
  }

  // Between the edges of two rows that face each other: no line lies across a name.
  function connect(from, to) {
    const half = (ROW - 2) / 2 * Math.sign(to.y - from.y);
    const middle = (from.y + to.y) / 2;
    context.moveTo(from.x, from.y + half);
    context.bezierCurveTo(from.x, middle, to.x, middle, to.x, to.y - half);
  }

  // From the begin of a submit to the first of its work, from the last to the end of the wait; of
  // work that is chosen by itself, from and to that.
  function connectSubmission(submission, { submits, work, waits }) {
    const of = ({ row, at }) => row.of.submission[row.indices[at]];
    const seen = ({ row, at }) => row.of.seen.get(row.indices[at])?.includes(submission);
    const chosen = state.place.row.type === SLICE ? [state.place]
      : work.filter((place) => of(place) === submission);
    if (chosen.length === 0) {
      return;
    }
    const first = boxOf(chosen.reduce((a, b) => (b.row.begin(b.at) < a.row.begin(a.at) ? b : a)));
    const last = boxOf(chosen.reduce((a, b) => (b.row.end(b.at) > a.row.end(a.at) ? b : a)));
    submits.filter((place) => of(place) === submission).map(boxOf).forEach(({ left, middle }) =>
      connect({ x: left, y: middle }, { x: first.left, y: first.middle }));
    waits.filter(seen).map(boxOf).forEach(({ right, middle }) =>
      connect({ x: last.right, y: last.middle }, { x: right, y: middle }));
  }

  function drawSelection() {
    if (state.place === null) {
      return;
    }
    const related = model.related(state.place);
    [...related.submits, ...related.waits, ...related.work].forEach((place) => outline(place, 1));
    outline(state.place, 2.5);
    context.strokeStyle = state.colors.focus;
    context.lineWidth = 2;
    context.beginPath();
    const numbers = new Set(related.work.map(({ row, at }) => row.of.submission[row.indices[at]]));
    Array.from(numbers).slice(0, LINES).forEach((each) => connectSubmission(each, related));
    context.stroke();
    context.lineWidth = 1;
  }

  function draw() {
    const scale = window.devicePixelRatio || 1;
    state.width = frame.clientWidth;
    if (canvas.width !== Math.round(state.width * scale) ||
        canvas.height !== Math.round(height * scale)) {
      canvas.width = Math.round(state.width * scale);
      canvas.height = Math.round(height * scale);
      canvas.style.height = `${height}px`;
    }
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.font = "12px system-ui, sans-serif";
    context.fillStyle = state.colors.back;
    context.fillRect(0, 0, state.width, height);
    drawAxis();
    model.tracks.forEach(drawTrack);
    drawSelection();
  }

  // The track whose counter is drawn at a height.
  const counterAt = (y) => model.tracks.find((track) => track.kind === "counter" &&
    y >= track.y && y < track.y + HEAD + COUNTER);

  // The one at a point, or the nearest within a few pixels; null: none.
  function placeAt(x, y) {
    const row = rows.find((each) => y >= each.y && y < each.y + ROW);
    const at = row?.find(timeOf(x), perPixel() * 3) ?? null;
    return at === null ? null : { track: row.track, row, at };
  }

  const valueAt = (track, time) => {
    const at = lastBefore(track.at, time);
    return at < 0 ? null : track.value[at];
  };

  return { AXIS, ROW, COLORS, families, rows, draw, readColors, xOf, timeOf, placeAt, counterAt,
    valueAt };
};
