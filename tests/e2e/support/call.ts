import type { Page } from "@playwright/test";
import type { Call, DataOf } from "../../../src/api/call.ts";

/** Calls the API as the page's member; returns the data of the envelope. */
export const callPath = (page: Page, path: string, body?: unknown) =>
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

/** Sends a call of the contract as the page's member; returns its data. */
export const callServer = <C extends Call>(page: Page, { path }: C, payload?: object): Promise<DataOf<C>> =>
  callPath(page, path, payload);
