import type { AddressInfo } from "node:net";
import type { Config } from "./config/config.ts";

/** Formats the lines that the server prints when it has started. */
export function formatBanner(origin: string, config: Config, durability: string): string {
  const codes =
    config.SMS === "aliyun" ? "sent as text messages" : `printed here and appended to ${config.DATA_DIR}/outbox.jsonl`;
  const rows = [
    ["Server", config.HOST_ORIGIN ?? origin],
    ["Data", durability],
    ["Codes", codes],
    ["Payment", describePayment(config)],
    ...(config.DEMO ? [["Demo", "13800138000 or demo (activated), 13800138001 (not activated)"]] : []),
  ];
  return rows.map(([name, value]) => `  ${name?.padEnd(7)} ${value}`).join("\n");
}

function describePayment({ PAYMENT, WECHAT_MCHID }: Config): string {
  return PAYMENT === "wechat"
    ? `wechat: members pay merchant ${WECHAT_MCHID} in WeChat`
    : "sandbox: anyone with a pay code's URL can mark an order as paid; no money moves";
}

/** Returns the origin under which a person on this machine reaches the server. */
export function getListenOrigin(address: AddressInfo | string | null, host: string): string {
  const port = typeof address === "object" && address ? address.port : "";
  const isLocal = ["127.0.0.1", "::1", "::", "0.0.0.0", "localhost"].includes(host);
  return `http://${isLocal ? "localhost" : host.includes(":") ? `[${host}]` : host}:${port}`;
}
