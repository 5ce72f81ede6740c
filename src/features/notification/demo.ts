import { add, clear, update } from "./store.ts";

// The buttons of /user/ui, which show each kind of notification.
const place = document.querySelector<HTMLElement>("[data-trial]");
const told = document.querySelector<HTMLElement>("[data-told]");
let last = "";

place?.addEventListener("click", ({ target }) => {
  const button = target instanceof Element ? target.closest("button") : null;
  if (!button) return;
  const { paid = "", closed = "", updated = "" } = place.dataset;
  const tell = (words: string) => () => {
    if (told) told.textContent = words;
  };
  if (button.dataset.add) {
    tell("")();
    const labels: string[] = JSON.parse(button.dataset.actions ?? "[]");
    const actions = labels.map((label, index) => ({ label, click: index === 0 ? () => void add({ title: paid }) : undefined }));
    last = add({ ...JSON.parse(button.dataset.add), actions, callback: tell(closed) });
  } else if (button.hasAttribute("data-update")) {
    update(last, { description: updated, color: "info" });
  } else clear();
});
