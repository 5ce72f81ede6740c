import type { Page } from "@playwright/test";

/** Asks the host as the page's member. */
export const ask = (page: Page, path: string, body?: unknown) =>
  page.evaluate(
    async ([path, body]) => {
      const answer = await fetch(path, {
        method: body ? "POST" : "GET",
        headers: { "content-type": "application/json", "device-type": "web", token: localStorage.getItem("TOKEN") ?? "" },
        ...(body ? { body } : {}),
      });
      const { code, msg, data } = await answer.json();
      if (code !== 1) throw new Error(`${path}: ${msg}`);
      return data;
    },
    [path, body === undefined ? "" : JSON.stringify(body)] as const,
  );
