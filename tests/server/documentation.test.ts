import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../server/config/config.ts";
import { variables } from "../../server/config/variables.ts";

const guide = (name: string) => readFileSync(name, "utf8");
const readme = guide("README.md");
const configuration = guide("docs/configuration.md");
const hosting = guide("docs/hosting.md");
const rows = new Map(
  Array.from(
    configuration.matchAll(/^\| `([A-Z][A-Z0-9_]+)` *\| (.*?) *\| (.*?) *\|$/gm),
    ([, name = "", fallback = "", description = ""]) => [name, { fallback, description }],
  ),
);

/** Variables that the recipes leave to the operator. */
const services = {
  WECHAT_APPID: "wx0123456789abcdef",
  WECHAT_SECRET: "s",
  WECHAT_MCHID: "1900000001",
  WECHAT_MERCHANT_SERIAL: "5157F09EFDC096DE",
  WECHAT_MERCHANT_KEY_FILE: "/m.pem",
  WECHAT_PAY_KEY_ID: "PUB_KEY_ID_01",
  WECHAT_PAY_KEY_FILE: "/p.pem",
  WECHAT_APIV3_KEY: "x".repeat(32),
  ALIYUN_ACCESS_KEY_ID: "LTAI5t0123",
  ALIYUN_ACCESS_KEY_SECRET: "0123456789",
  ALIYUN_SIGN_NAME: "入口",
  ALIYUN_TEMPLATE_CODE: "SMS_123456789",
};

describe("the documentation", () => {
  it.each(Object.entries(variables))("lists %s with its default and description", (name, { fallback, description }) => {
    expect(rows.get(name)?.description).toBe(description);
    if (fallback) expect(rows.get(name)?.fallback.replaceAll("`", "")).toContain(fallback);
    else expect(rows.get(name)?.fallback).toBe("");
  });

  it("lists no unused variable", () => {
    const code = [
      "server/config/env-file.ts",
      "src/build/content-security-policy.ts",
      "src/layouts/operator-links.ts",
      "src/client/statistics.ts",
      "src/api/fetch-at-build.ts",
    ]
      .map((file) => readFileSync(file, "utf8"))
      .join("");
    for (const name of rows.keys()) expect(name in variables || code.includes(name), name).toBe(true);
  });

  it("contains start commands that are valid behind one proxy once WeChat Pay and Alibaba Cloud are configured", () => {
    const recipes = Array.from(hosting.matchAll(/PUBLIC_SITE_ORIGIN=\S+ \\?\n?HOST=[^`]*/g), ([text]) => text);
    expect(recipes).toHaveLength(2);
    for (const text of recipes) {
      const env = Object.fromEntries(Array.from(text.matchAll(/([A-Z_]+)=(\S+)/g), ([, name, value]) => [name, value]));
      expect(readConfig({ ...services, ...env })).toMatchObject({ HOST: "127.0.0.1", TRUST_PROXY: 1, SEED: "none" });
    }
  });

  it("mentions only existing folders and commands", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
    const texts = ["README.md", "CONTRIBUTING.md", ...readdirSync("docs").map((name) => `docs/${name}`)].map(guide);
    for (const [, name = ""] of texts.join("").matchAll(/npm run (\w+)/g)) expect(scripts, name).toHaveProperty(name);
    const existing = new Set([...readdirSync("."), ...readdirSync("src").map((one) => `src/${one}`)]);
    for (const [, folder = ""] of readme.matchAll(/^\| `([\w/.]+?)\/(?:<\w+>\/)?`/gm))
      expect(existing.has(folder), folder).toBe(true);
  });
});
