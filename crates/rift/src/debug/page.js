// A click at a head, or Enter on it, orders the table by that column: numbers from the largest, words from A.
"use strict";
const body = document.querySelector("#queries tbody");
document.querySelectorAll("#queries th").forEach((head, column) => {
  const order = () => {
    const turned = head.getAttribute("aria-sort") === "descending";
    document.querySelectorAll("#queries th").forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", turned ? "ascending" : "descending");
    const value = (row) => row.cells[column].dataset.value;
    const isNumber = body.rows[0].cells[column].classList.contains("number");
    const rows = Array.from(body.rows).sort((a, b) =>
      isNumber ? Number(value(b)) - Number(value(a)) : value(a).localeCompare(value(b)));
    (turned ? rows.reverse() : rows).forEach((row) => body.appendChild(row));
  };
  head.addEventListener("click", order);
  head.addEventListener("keydown", (event) => { if (event.key === "Enter") order(); });
});
document.body.dataset.ready = "yes";
