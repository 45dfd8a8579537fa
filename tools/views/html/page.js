"use strict";
// Sorting and filtering of every table. Without this script the page is complete, in the order in
// which the rows stand.
(() => {
  const MOST = 1000; // rows shown at once unless all are asked for: browsers lay them out slowly
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
  const number = (value) => value.toLocaleString("en");

  // A number column is compared by the exact values behind what is shown; absent ones come last.
  function keyOf(cell) {
    if (!cell.hasAttribute("data-value")) {
      return cell.textContent.trim() || null;
    }
    const value = cell.getAttribute("data-value");
    return value === "" ? null : Number(value);
  }

  function compare(left, right, direction) {
    if (left === null || right === null) {
      return (left === null) - (right === null);
    }
    const order = typeof left === "number" ? left - right : collator.compare(left, right);
    return direction * order;
  }

  function sorted(rows, index, direction) {
    if (direction === "none") {
      return rows;
    }
    const sign = direction === "ascending" ? 1 : -1;
    const keyed = rows.map((each) => ({ each, key: keyOf(each.row.cells[index]) }));
    keyed.sort((a, b) => compare(a.key, b.key, sign) || a.each.at - b.each.at);
    return keyed.map(({ each }) => each);
  }

  // Largest first for numbers, A first for texts; then the other way round; then as it was.
  function nextDirection(header) {
    const first = header.hasAttribute("data-sorts") ? "descending" : "ascending";
    const second = first === "ascending" ? "descending" : "ascending";
    const now = header.getAttribute("aria-sort");
    return now === first ? second : now === second ? "none" : first;
  }

  class Sheet {
    constructor(table) {
      this.table = table;
      this.body = table.tBodies[0];
      this.rows = Array.from(this.body.rows, (row, at) => ({ row, at, text: null }));
      this.order = this.rows;
      this.words = [];
      this.most = MOST;
    }

    // What a row is searched by: its words, without those of drawings.
    static textOf(each) {
      each.text ??= Array.from(each.row.cells, (cell) =>
        cell.classList.contains("drawn") ? "" : cell.textContent).join(" ").toLowerCase();
      return each.text;
    }

    // Rows are moved and hidden while nobody looks, so that they are laid out once.
    apply(moved) {
      let found = 0;
      const after = this.body.nextSibling;
      this.body.remove();
      for (const each of this.order) {
        const matches = this.words.every((word) => Sheet.textOf(each).includes(word));
        found += matches ? 1 : 0;
        each.row.hidden = !matches || found > this.most;
      }
      if (moved) {
        this.body.append(...this.order.map(({ row }) => row));
      }
      this.table.insertBefore(this.body, after);
      this.say(found);
    }

    say(found) {
      if (this.count) {
        const capped = found > this.most;
        this.count.textContent = (capped ? `the first ${number(this.most)} of ` : "") +
          `${number(found)}${capped ? " found, of" : " of"} ${number(this.rows.length)} rows`;
        this.all.hidden = !capped;
      }
    }

    makeSortable() {
      const headers = Array.from(this.table.tHead.rows[0].cells);
      headers.forEach((header, index) => {
        const ordered = header.classList.contains("text") || header.hasAttribute("data-sorts");
        if (!ordered || header.textContent.trim() === "") {
          return;
        }
        const button = document.createElement("button");
        button.type = "button";
        button.append(...header.childNodes);
        header.append(button);
        header.setAttribute("aria-sort", "none");
        button.addEventListener("click", () => {
          const next = nextDirection(header);
          headers.forEach((other) => other.hasAttribute("aria-sort") &&
            other.setAttribute("aria-sort", other === header ? next : "none"));
          this.order = sorted(this.rows, index, next);
          this.apply(true);
        });
      });
    }

    makeFilterable(id) {
      const tools = document.createElement("div");
      const label = document.createElement("label");
      const input = document.createElement("input");
      this.count = document.createElement("output");
      this.all = document.createElement("button");
      tools.className = "tools";
      input.type = "search";
      input.id = `filter-${id}`;
      label.htmlFor = this.count.htmlFor = input.id;
      label.textContent = "Filter";
      this.count.className = "faint";
      this.all.type = "button";
      this.all.textContent = "Show all";
      input.addEventListener("input", () => {
        this.words = input.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
        this.apply(false);
      });
      this.all.addEventListener("click", () => {
        this.most = Infinity;
        this.apply(false);
      });
      tools.append(label, input, this.count, this.all);
      this.table.closest(".scroll").before(tools);
      this.apply(false);
    }
  }

  document.querySelectorAll("table.sheet").forEach((table, at) => {
    const sheet = new Sheet(table);
    if (sheet.rows.length > 1) {
      sheet.makeSortable();
    }
    if (sheet.rows.length > 5) {
      sheet.makeFilterable(at);
    }
  });
})();
