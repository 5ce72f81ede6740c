import type { Page } from "@playwright/test";

/** Calls the API as the page's member; returns the data of the envelope. */
export const callServer = (page: Page, path: string, body?: unknown) =>
  page.evaluate(
    async ([path, body]) => {
      const response = await fetch(path, {
        method: body ? "POST" : "GET",
        headers: { "content-type": "application/json", "device-type": "web", token: localStorage.getItem("TOKEN") ?? "" },
        ...(body ? { body } : {}),
      });
      const { code, msg, data } = await response.json();
      if (code !== 1) throw new Error(`${path}: ${msg}`);
      return data;
    },
    [path, body === undefined ? "" : JSON.stringify(body)] as const,
  );
