// Keys, focus and the open table of contents. Every page works without this file.
"use strict";

const WIDE = matchMedia("(min-width: 75rem)");

// The arrow points to where the link lies on the screen: left is onward in Arabic, right in English.
const onward = document.documentElement.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
const TURNS = { ArrowLeft: null, ArrowRight: null };
for (const key of Object.keys(TURNS)) TURNS[key] = key === onward ? ".turn a.on" : ".turn a.back";

const isTyping = (target) => target.closest("input, textarea, select, [contenteditable], summary") !== null;

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (isTyping(event.target)) return;
  const link = TURNS[event.key] && document.querySelector(TURNS[event.key]);
  if (!link) return;
  event.preventDefault();
  link.click();
});

// The table of contents stands open beside the text where there is room.
const openDrawer = () => {
  const drawer = document.getElementById("drawer");
  if (drawer && WIDE.matches) drawer.open = true;
};

const markSection = () => {
  const section = document.getElementById("leaf")?.dataset.section;
  for (const link of document.querySelectorAll("#drawer a[data-section]")) {
    if (link.dataset.section === section) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  // Within the drawer only: the page itself stays where it is.
  const tree = document.querySelector("#drawer .tree");
  const current = tree?.querySelector("[aria-current]");
  if (current && tree.scrollHeight > tree.clientHeight) {
    tree.scrollTop += current.getBoundingClientRect().top - tree.getBoundingClientRect().top - tree.clientHeight / 3;
  }
};

document.addEventListener("DOMContentLoaded", openDrawer);
document.addEventListener("htmx:historyRestore", openDrawer);

document.addEventListener("htmx:afterSettle", (event) => {
  const id = event.detail.target?.id;
  markSection();
  // Whoever turned the page from its end, or listens to it, begins at its top.
  if (id === "leaf") document.getElementById("place")?.focus({ preventScroll: true });
});
