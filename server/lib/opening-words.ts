import type { AddressInfo } from "node:net";
import type { Config } from "../config.ts";

/** What the person who starts the host needs to know, as lines. */
export function openingWords(origin: string, config: Config, durability: string): string {
  const codes =
    config.SMS === "aliyun" ? "sent as text messages" : `printed here, and appended to ${config.DATA_DIR}/outbox.jsonl`;
  const rows = [
    ["Host", origin],
    ["Data", durability],
    ["Codes", codes],
    ...(config.SEED === "demo" ? [["Try", "13800138000 or demo (activated), 13800138001 (not activated)"]] : []),
  ];
  return rows.map(([name, words]) => `  ${name?.padEnd(6)} ${words}`).join("\n");
}

/** Where a person on this machine reaches the host. */
export function originOf(address: AddressInfo | string | null, host: string): string {
  const port = typeof address === "object" && address ? address.port : "";
  const everyOrLocal = ["127.0.0.1", "::1", "::", "0.0.0.0", "localhost"].includes(host);
  return `http://${everyOrLocal ? "localhost" : host.includes(":") ? `[${host}]` : host}:${port}`;
}
