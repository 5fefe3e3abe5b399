"use strict";
// Comfort alone: the page says everything without it. Sorting and filtering of tables, a key that hides, a point that speaks.
(() => {
  const figure = (cell) => {
    const told = cell.dataset.v;
    if (told === undefined) return cell.textContent.trim().toLowerCase();
    if (told === "") return -1; // no number: below every number
    return told === "inf" || told === "nan" ? Infinity : Number(told);
  };
  const order = (a, b) => (typeof a === "number" && typeof b === "number" ? (a > b) - (a < b) : String(a).localeCompare(String(b)));

  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells];
    const body = table.tBodies[0];
    table.classList.add("live");
    heads.forEach((head, column) => {
      head.tabIndex = 0;
      const sort = () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const rows = [...body.rows].sort((a, b) => order(figure(a.cells[column]), figure(b.cells[column])));
        body.append(...(down ? rows.reverse() : rows));
      };
      head.addEventListener("click", sort);
      head.addEventListener("keydown", (event) => { if (event.key === "Enter") sort(); });
    });
  }

  for (const input of document.querySelectorAll("input[data-filters]")) {
    input.closest(".filter").hidden = false;
    input.addEventListener("input", () => {
      const words = input.value.toLowerCase().split(/\s+/);
      for (const row of document.getElementById(input.dataset.filters).tBodies[0].rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
      }
    });
  }

  const picture = document.querySelector("svg.scatter");
  if (!picture) return;
  for (const item of document.querySelectorAll(".key li")) {
    item.classList.add("live");
    item.addEventListener("click", () => {
      const off = item.classList.toggle("off");
      for (const group of picture.querySelectorAll("g")) {
        if (group.dataset.tensor === item.dataset.tensor) group.toggleAttribute("hidden", off);
      }
    });
  }
  const picked = document.getElementById("picked");
  for (const kind of ["pointerover", "click"]) {
    picture.addEventListener(kind, (event) => {
      const title = event.target.tagName === "circle" && event.target.querySelector("title");
      if (title) picked.textContent = title.textContent;
    });
  }
})();
