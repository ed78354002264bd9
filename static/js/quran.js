// Copies a verse with its reference. The pages of the Quran work without this file.
"use strict";

document.documentElement.classList.add("scripted");

// Outside of secure connections browsers offer no clipboard to scripts, only their old command.
const putOnClipboard = async (text) => {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
};

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button.copy");
  if (!button) return;
  const row = button.closest(".ayah-row");
  const lines = [`﴿${row.querySelector(".ayah-text").textContent}﴾ [${row.dataset.reference}]`];
  const translation = row.querySelector(".translation");
  if (translation) lines.push(`“${translation.textContent}” (Quran ${row.dataset.key})`);
  await putOnClipboard(lines.join("\n"));
  const before = button.textContent;
  button.textContent = button.dataset.done;
  setTimeout(() => { button.textContent = before; }, 2000);
});
