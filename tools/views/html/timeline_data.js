"use strict";
// What a timeline shows, out of the columns that stand in the page; nothing here draws. The columns
// are described in views/html_timeline.h. All times are nanoseconds since the trace began.
const vkmTimeline = (() => {
  const NONE = -1;
  const CALL = 0;
  const SLICE = 1;
  const LABEL = 2;

  // Times and values stand as the difference to the one before.
  function summed(deltas) {
    const values = new Float64Array(deltas.length);
    let sum = 0;
    deltas.forEach((delta, at) => {
      sum += delta;
      values[at] = sum;
    });
    return values;
  }

  // A column in which nothing is known is left out.
  function column(from, name, count) {
    return from[name] ?? new Int32Array(count).fill(NONE);
  }

  function columns(from, names) {
    const begin = summed(from.begin);
    const made = { begin, end: begin.map((at, index) => at + from.length[index]) };
    names.forEach((name) => {
      made[name] = column(from, name, begin.length);
    });
    return made;
  }

  // A row: things of one track beside each other. `reach` is the latest end up to each of them, so
  // that what is seen is found by halving even where some overlap.
  class Row {
    constructor(of, type, indices) {
      this.of = of;
      this.type = type;
      this.indices = indices;
      this.reach = new Float64Array(indices.length);
      let latest = -Infinity;
      indices.forEach((index, at) => {
        latest = Math.max(latest, of.end[index]);
        this.reach[at] = latest;
      });
    }

    // The first that may reach beyond `time`.
    first(time) {
      let low = 0;
      let high = this.reach.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (this.reach[middle] < time) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }

    begin(at) { return this.of.begin[this.indices[at]]; }
    end(at) { return this.of.end[this.indices[at]]; }

    // The one at a time, or the nearest within `slack`; null: none.
    find(time, slack) {
      let best = null;
      let distance = slack;
      for (let at = this.first(time - slack); at < this.indices.length; at++) {
        if (this.begin(at) > time + slack) {
          break;
        }
        const away = Math.max(this.begin(at) - time, time - this.end(at), 0);
        if (away <= distance) {
          best = at;
          distance = away;
        }
      }
      return best;
    }
  }

  // How deep each call lies in others of its thread: the outer one stands before the inner ones.
  function depths(of) {
    const open = [];
    return Array.from(of.begin, (begin, index) => {
      while (open.length > 0 && of.end[open[open.length - 1]] <= begin) {
        open.pop();
      }
      open.push(index);
      return open.length - 1;
    });
  }

  function rowsBy(of, type, numbers) {
    const rows = [];
    numbers.forEach((number, index) => {
      (rows[number] ??= []).push(index);
    });
    return Array.from(rows, (indices) => new Row(of, type, indices ?? []));
  }

  class Model {
    constructor(data) {
      this.data = data;
      this.names = data.names;
      this.span = Math.max(data.span, 1);
      this.tracks = [];
      this.submits = new Map(); // "process/submission": { row, at } of the call
      this.waits = new Map(); // the same: the calls that saw it finished
      this.work = new Map(); // the same: slices
      data.threads.forEach((thread) => this.addThread(thread));
      data.queues.forEach((queue) => this.addQueue(queue));
      data.counters.forEach((counter) => this.addCounter(counter));
    }

    processOf(number) {
      const process = this.data.processes[number];
      return this.data.processes.length > 1 && process ? `${process[0]} (${process[1]}): ` : "";
    }

    addThread(thread) {
      const of = columns(thread, ["name", "submission", "bytes", "result", "made", "hits"]);
      const track = { kind: "calls", title: this.processOf(thread.process) + thread.title, of,
        process: thread.process };
      track.rows = rowsBy(of, CALL, depths(of));
      track.rows.forEach((row) => row.indices.forEach((index, at) => {
        if (of.submission[index] > 0) {
          this.submits.set(`${thread.process}/${of.submission[index]}`, { track, row, at });
        }
      }));
      const places = new Map();
      track.rows.forEach((row) => row.indices.forEach((index, at) => places.set(index,
        { track, row, at })));
      (thread.seen ?? []).forEach(([index, submissions]) => submissions.forEach((submission) =>
        this.push(this.waits, `${thread.process}/${submission}`, places.get(index))));
      of.seen = new Map(thread.seen ?? []);
      this.tracks.push(track);
    }

    push(map, key, value) {
      const list = map.get(key);
      if (list) {
        list.push(value);
      } else {
        map.set(key, [value]);
      }
    }

    addQueue(queue) {
      const title = this.processOf(queue.process) + queue.title;
      if (queue.labels && queue.labels.begin.length > 0) {
        const of = columns(queue.labels, ["name", "depth"]);
        this.tracks.push({ kind: "labels", title: `${title}: labels`, of, process: queue.process,
          rows: rowsBy(of, LABEL, of.depth) });
      }
      const of = columns(queue, ["name", "kernel", "kind", "phase", "launch", "submission",
        "bytes", "id", "lane"]);
      const track = { kind: "work", title, of, process: queue.process };
      track.rows = rowsBy(of, SLICE, of.lane.map((lane) => Math.max(lane, 0)));
      track.rows.forEach((row) => row.indices.forEach((index, at) => {
        if (of.submission[index] > 0) {
          this.push(this.work, `${queue.process}/${of.submission[index]}`, { track, row, at });
        }
      }));
      track.instants = queue.instants ?? [];
      this.tracks.push(track);
    }

    addCounter(counter) {
      const at = summed(counter.at);
      const value = summed(counter.value);
      this.tracks.push({ kind: "counter", title: this.processOf(counter.process) + counter.title,
        unit: counter.unit, at, value, rows: [], process: counter.process,
        most: value.reduce((most, each) => Math.max(most, each), 0) });
    }

    nameOf(place) {
      return this.names[place.row.of.name[place.row.indices[place.at]]] ?? "";
    }

    familyOf(of, index) {
      const kernel = this.data.kernels[of.kernel?.[index]];
      return kernel && kernel[2] !== NONE ? this.names[kernel[2]] : "";
    }

    keyOf(place) {
      const submission = place.row.of.submission?.[place.row.indices[place.at]] ?? NONE;
      return submission > 0 ? `${place.track.process}/${submission}` : null;
    }

    // What belongs to a place: its submit, its device work, the waits that saw it finished.
    related(place) {
      const keys = new Set();
      const key = this.keyOf(place);
      if (key !== null) {
        keys.add(key);
      }
      const seen = place.row.of.seen?.get(place.row.indices[place.at]) ?? [];
      seen.forEach((submission) => keys.add(`${place.track.process}/${submission}`));
      const list = (map) => Array.from(keys).flatMap((each) => map.get(each) ?? []);
      return { submits: list(this.submits), work: list(this.work), waits: list(this.waits) };
    }
  }

  // ---- words ----

  const grouped = (value) => value.toLocaleString("en", { maximumFractionDigits: 0 });

  function duration(ns) {
    const units = [[1e9, "s"], [1e6, "ms"], [1e3, "\u00b5s"]];
    const [size, unit] = units.find(([each]) => Math.abs(ns) >= each) ?? [1, "ns"];
    const digits = size === 1 ? 0 : Math.max(0, 3 - Math.floor(Math.log10(Math.abs(ns) / size)));
    return `${(ns / size).toFixed(digits)} ${unit}`;
  }

  function exact(ns) {
    return Math.abs(ns) < 1000 ? duration(ns) : `${duration(ns)} (${grouped(ns)} ns)`;
  }

  function bytes(value) {
    const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let at = 0;
    let rest = value;
    while (Math.abs(rest) >= 1024 && at < units.length - 1) {
      rest /= 1024;
      at++;
    }
    return at === 0 ? `${grouped(value)} bytes`
      : `${rest.toFixed(1)} ${units[at]} (${grouped(value)} bytes)`;
  }

  const counted = (value, unit) => unit === "bytes" ? bytes(value) : grouped(value);

  // Rows of [what, text] about a place; what is not known is left out.
  function describe(model, place) {
    const { of } = place.row;
    const index = place.row.indices[place.at];
    const facts = [["begin", exact(of.begin[index])],
      ["duration", exact(of.end[index] - of.begin[index])]];
    const add = (what, value, text) => {
      if (value !== undefined && value !== NONE && value !== "") {
        facts.push([what, text ?? grouped(value)]);
      }
    };
    if (place.row.type === SLICE) {
      const kernel = model.data.kernels[of.kernel[index]];
      const launch = model.data.launches[of.launch[index]];
      add("kind", of.kind[index], model.names[of.kind[index]]);
      add("family", model.familyOf(of, index), model.familyOf(of, index));
      add("phase", of.phase[index], model.names[of.phase[index]]);
      if (launch && launch.slice(0, 3).some((part) => part > 0)) {
        facts.push(["grid", launch.slice(0, 3).join(" \u00d7 ")]);
      }
      if (launch && launch.slice(3).some((part) => part > 0)) {
        facts.push(["workgroup", launch.slice(3).join(" \u00d7 ")]);
      }
      add("identity", kernel?.[1], kernel && model.names[kernel[1]]);
      add("event", of.id[index]);
    }
    if (of.submission) {
      add("submission", of.submission[index] || NONE);
    }
    if (of.bytes) {
      add("bytes", of.bytes[index], bytes(of.bytes[index]));
    }
    if (place.row.type === CALL) {
      add("result", of.result[index] || NONE);
      add("made", of.made[index] || NONE);
      add("of these from the cache", of.hits[index]);
      add("saw finished", of.seen.has(index) ? 1 : NONE,
        of.seen.get(index)?.length > 8 ? `${grouped(of.seen.get(index).length)} submissions`
          : `submission ${of.seen.get(index)?.join(", ")}`);
    }
    facts.push(["on", place.track.title + (place.track.rows.length > 1 &&
      place.row.type === SLICE ? `, lane ${place.track.rows.indexOf(place.row) + 1}` : "")]);
    return facts;
  }

  return { Model, CALL, SLICE, LABEL, NONE, duration, exact, counted, grouped, describe };
})();
