import { add, clear, update } from "./store.ts";

// Buttons on /user/ui that show each kind of notification.
const demo = document.querySelector<HTMLElement>("[data-trial]");
const status = document.querySelector<HTMLElement>("[data-told]");
let lastId = "";

demo?.addEventListener("click", ({ target }) => {
  const button = target instanceof Element ? target.closest("button") : null;
  if (!button) return;
  const { paid = "", closed = "", updated = "" } = demo.dataset;
  const showStatus = (text: string) => () => {
    if (status) status.textContent = text;
  };
  if (button.dataset.add) {
    showStatus("")();
    const labels: string[] = JSON.parse(button.dataset.actions ?? "[]");
    const actions = labels.map((label, index) => ({ label, click: index === 0 ? () => void add({ title: paid }) : undefined }));
    lastId = add({ ...JSON.parse(button.dataset.add), actions, callback: showStatus(closed) });
  } else if (button.hasAttribute("data-update")) {
    update(lastId, { description: updated, color: "info" });
  } else clear();
});
