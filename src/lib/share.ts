/** Shows the share buttons where the browser can share or copy; a copied address is said in the button's place. */
export function offerSharing(): void {
  // Neither is there on a page without TLS, nor in every browser.
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
        // The visitor thought better of it.
      }
    });
  }
}
