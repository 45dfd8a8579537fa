"use strict";
// Sorting and filtering of every table. Without this script the page is complete, in the order in
// which the rows stand.
(() => {
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

  const cellsOf = (row) => Array.from(row.cells);

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

  function sort(table, original, index, direction) {
    const rows = original.map((row, at) => ({ row, at, key: keyOf(row.cells[index]) }));
    if (direction !== 0) {
      rows.sort((a, b) => compare(a.key, b.key, direction) || a.at - b.at);
    }
    table.tBodies[0].append(...rows.map((each) => each.row));
  }

  // Largest first for numbers, A first for texts; then the other way round; then as it was.
  function nextDirection(header) {
    const first = header.hasAttribute("data-sorts") ? "descending" : "ascending";
    const second = first === "ascending" ? "descending" : "ascending";
    const now = header.getAttribute("aria-sort");
    return now === first ? second : now === second ? "none" : first;
  }

  function makeSortable(table) {
    const original = Array.from(table.tBodies[0].rows);
    const headers = cellsOf(table.tHead.rows[0]);
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
        sort(table, original, index, { ascending: 1, descending: -1, none: 0 }[next]);
      });
    });
  }

  // Every word has to be in the row, in any case and column.
  function filter(rows, words) {
    let shown = 0;
    for (const { row, text } of rows) {
      row.hidden = !words.every((word) => text.includes(word));
      shown += row.hidden ? 0 : 1;
    }
    return shown;
  }

  function makeFilterable(table, number) {
    const rows = Array.from(table.tBodies[0].rows, (row) =>
      ({ row, text: cellsOf(row).map((cell) =>
        cell.classList.contains("drawn") ? "" : cell.textContent).join(" ").toLowerCase() }));
    const tools = document.createElement("div");
    const label = document.createElement("label");
    const input = document.createElement("input");
    const count = document.createElement("output");
    tools.className = "tools";
    input.type = "search";
    input.id = `filter-${number}`;
    label.htmlFor = count.htmlFor = input.id;
    label.textContent = "Filter";
    count.className = "faint";
    const update = () => {
      const words = input.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
      const shown = filter(rows, words);
      count.textContent = `${shown.toLocaleString("en")} of ${rows.length.toLocaleString("en")} rows`;
    };
    input.addEventListener("input", update);
    update();
    tools.append(label, input, count);
    table.closest(".scroll").before(tools);
  }

  document.querySelectorAll("table.sheet").forEach((table, number) => {
    if (table.tBodies[0].rows.length > 1) {
      makeSortable(table);
    }
    if (table.tBodies[0].rows.length > 5) {
      makeFilterable(table, number);
    }
  });
})();
