import type { AddressInfo } from "node:net";
import type { Config } from "./config/config.ts";

/** What the person who starts the host needs to know, as lines. */
export function startBanner(origin: string, config: Config, durability: string): string {
  const codes =
    config.SMS === "aliyun" ? "sent as text messages" : `printed here, and appended to ${config.DATA_DIR}/outbox.jsonl`;
  const rows = [
    ["Host", config.HOST_ORIGIN ?? origin],
    ["Data", durability],
    ["Codes", codes],
    ["Payment", paymentWords(config)],
    ...(config.SEED === "demo" ? [["Try", "13800138000 or demo (activated), 13800138001 (not activated)"]] : []),
  ];
  return rows.map(([name, words]) => `  ${name?.padEnd(7)} ${words}`).join("\n");
}

function paymentWords({ PAYMENT, WECHAT_MCHID }: Config): string {
  return PAYMENT === "wechat"
    ? `wechat: members pay in WeChat, to merchant ${WECHAT_MCHID}`
    : "sandbox: anyone with a pay code's address can mark an order paid; no money moves";
}

/** Where a person on this machine reaches the host. */
export function getListenOrigin(address: AddressInfo | string | null, host: string): string {
  const port = typeof address === "object" && address ? address.port : "";
  const everyOrLocal = ["127.0.0.1", "::1", "::", "0.0.0.0", "localhost"].includes(host);
  return `http://${everyOrLocal ? "localhost" : host.includes(":") ? `[${host}]` : host}:${port}`;
}
