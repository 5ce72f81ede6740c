/** Shows the share buttons when the browser can share or copy; after copying, the button shows its confirmation. */
export function showShareButtons(): void {
  // Both require TLS, and not every browser has them.
  const { share, clipboard }: { share?: Navigator["share"]; clipboard?: Clipboard } = navigator;
  if (!share && !clipboard) return;
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-share]")) {
    button.classList.remove("invisible");
    button.addEventListener("click", async () => {
      try {
        if (share) return await share.call(navigator, { title: document.title, url: location.href });
        await clipboard?.writeText(location.href);
        button.textContent = button.dataset.share ?? "";
      } catch {
        // The visitor cancelled.
      }
    });
  }
}
