import { afterAll, beforeAll, vi } from "vitest";
import { stopServersAndRemoveFolders } from "../processes/child-process.ts";
import { createWechatServers } from "./order.ts";

export type WechatServers = Awaited<ReturnType<typeof createWechatServers>>;

/** Starts the stand-in for WeChat before the tests of a file; it and all servers end after them. Errors that servers log are not printed. */
export function prepareWechatServers(): () => WechatServers {
  let servers: WechatServers | null = null;
  beforeAll(async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    servers = await createWechatServers();
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await servers?.wechat.close();
    await stopServersAndRemoveFolders();
  });
  return () => {
    if (!servers) throw new Error("the tests of the file have not begun");
    return servers;
  };
}
