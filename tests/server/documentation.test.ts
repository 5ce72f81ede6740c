import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseEnv } from "node:util";
import { execa } from "execa";
import { afterEach, describe, expect, it } from "vitest";
import { configurationFiles } from "../../scripts/write-configuration.ts";
import { readConfig } from "../../server/config/config.ts";
import { groups } from "../../server/config/variables.ts";
import { requestAt } from "../support/client/client.ts";
import { apply, parseRecipe } from "../support/contract/call-recipe.ts";
import { newFolder, startServer, stopServersAndRemoveFolders } from "../support/processes/child-process.ts";
import { root, sources } from "../support/rules/sources.ts";

const guide = (name: string) => readFileSync(name, "utf8");
const readme = guide("README.md");
const hosting = guide("docs/hosting.md");
const allNames = Object.values(groups)
  .flatMap((group) => Object.keys(group))
  .sort();

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
  it.each(Object.entries(configurationFiles()))("lists the variables of the table in %s", (name, text) => {
    expect(existsSync(name) ? guide(name) : "", "`npm run configuration` writes this file").toBe(text);
  });

  it("lists the variables that the build and the scripts read, and no unused one", () => {
    const code = sources().filter(({ path }) => /^(src|scripts|server\/config)\//.test(path));
    const pattern = /\benv\.((?:PUBLIC|BUILD|ENV)_\w+)/g;
    const names = code.flatMap(({ text }) => Array.from(text.matchAll(pattern), ([, name = ""]) => name));
    expect([...new Set(names)].sort()).toEqual(allNames.filter((name) => /^(PUBLIC|BUILD|ENV)_/.test(name)));
  });

  it("contains an .env.example that sets nothing, and the defaults once every variable is uncommented", () => {
    const example = guide(".env.example");
    expect(parseEnv(example)).toEqual({});
    const env = parseEnv(example.replaceAll(/^#(?=[A-Z])/gm, ""));
    expect(Object.keys(env).sort()).toEqual(allNames);
    expect(readConfig(env)).toEqual(readConfig({}));
  });

  it("contains start commands that are valid behind one proxy once WeChat Pay and Alibaba Cloud are configured", () => {
    const recipes = Array.from(hosting.matchAll(/PUBLIC_SITE_ORIGIN=\S+ \\?\n?HOST=[^`]*/g), ([text]) => text);
    expect(recipes).toHaveLength(2);
    for (const text of recipes) {
      const env = Object.fromEntries(Array.from(text.matchAll(/([A-Z_]+)=(\S+)/g), ([, name, value]) => [name, value]));
      expect(readConfig({ ...services, ...env })).toMatchObject({ HOST: "127.0.0.1", TRUST_PROXY: 1 });
    }
  });

  it("contains a compose file with valid settings for the server and the PUBLIC_ variables of the build", () => {
    const [, server = "", site = ""] = guide("compose.yaml").split(/^ {2}(?:server|site):$/m);
    const listVariables = (service: string) => {
      const list = /^ {4}environment:\n((?: {6}.*\n)+)/m.exec(service)?.[1] ?? "";
      return Object.fromEntries(Array.from(list.matchAll(/^ {6}(\w+):(.*)$/gm), ([, name = "", value = ""]) => [name, value]));
    };
    const replaceDefaults = (value: string) =>
      value
        .replaceAll(/\$\{\w+:-(\w+)\}/g, "$1")
        .replaceAll('"', "")
        .trim();
    const env = Object.fromEntries(
      Object.entries(listVariables(server)).map(([name, value]) => [name, replaceDefaults(value)]),
    );
    expect(readConfig(env)).toMatchObject({ DEMO: false, SMS: "console", PAYMENT: "sandbox", ACTIVATE_NEW_MEMBERS: true });
    const publicNames = Object.keys(listVariables(site)).filter((name) => /^(PUBLIC|BUILD)_/.test(name));
    expect(publicNames.sort()).toEqual(allNames.filter((name) => /^PUBLIC_/.test(name)));
    // Without an origin of their own, canonical links and feeds have the port under which the server is reached.
    expect(server).toMatch(/^ {4}ports:\n {6}- "127\.0\.0\.1:\$\{PORT:-4321\}:4321"/m);
    expect(listVariables(site)).toMatchObject({ PORT: "" });
    // The job keeps site and pictures in its volume, and reads the shop's folder alone.
    const settings = guide("Dockerfile").matchAll(/(SITE_DIR|SHOP_CACHE_DIR)=(\/app\S+)/g);
    const paths = Object.fromEntries(Array.from(settings, ([, name, path]) => [name, path]));
    expect(paths).toEqual({ SITE_DIR: "/app/.cache/dist", SHOP_CACHE_DIR: "/app/.cache/shop" });
    expect(site).toContain("- site:/app/.cache");
    expect(site).toContain(`:${listVariables(site).CONTENT_DIR?.trim()}:ro`);
  });

  it("mentions only existing folders and commands", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
    const texts = ["README.md", "CONTRIBUTING.md", ...readdirSync("docs").map((name) => `docs/${name}`)].map(guide);
    for (const [, name = ""] of texts.join("").matchAll(/npm run (?:--silent )?([\w:]+)/g))
      expect(scripts, name).toHaveProperty(name);
    const existing = new Set([...readdirSync("."), ...readdirSync("src").map((one) => `src/${one}`)]);
    for (const [, folder = ""] of readme.matchAll(/^\| `([\w/.]+?)\/(?:<\w+>\/)?`/gm))
      expect(existing.has(folder), folder).toBe(true);
  });
});

/** Promises that the server does not implement: own gates, a second seat, first choice, visits, pick-up at the door. */
const promises =
  /购票|优先|先挑|[ABC]\s*口|自己的口|直接进|不用排队|随行|探班|自取|\bgates?\b (?:[ABC]\b|on show)|own gate|skip the line|walk in\b|first (?:in|pick)|pick first|plus-one|rehearsal visit|pick up at/i;

const textsIn = (value: unknown): string[] => {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

const names = readdirSync(join(root, "i18n")).filter((name) => !["locale.ts", "catalogue.ts"].includes(name));
const interfaceTexts = await Promise.all(names.map((name) => import(pathToFileURL(join(root, "i18n", name)).href)));

describe("the texts of the interface", () => {
  it("promise nothing that the server does not do", () => {
    expect(textsIn(interfaceTexts).filter((text) => promises.test(text))).toEqual([]);
  });
});

describe("the recipe for a call in CONTRIBUTING.md", { tags: ["full"] }, () => {
  const copy = mkdtempSync(join(tmpdir(), "entrance-recipe-"));
  const contributing = guide("CONTRIBUTING.md");
  const recipe = contributing.slice(contributing.indexOf("## How to add a call"));

  afterEach(async () => {
    await stopServersAndRemoveFolders();
    rmSync(copy, { recursive: true, force: true });
  });

  it("adds a working and documented call when applied to a copy of the sources", async () => {
    for (const folder of ["i18n", "server", "src", "scripts", "tests/support", "package.json"]) {
      cpSync(folder, join(copy, folder), { recursive: true });
    }
    symlinkSync(join(process.cwd(), "node_modules"), join(copy, "node_modules"));
    const changes = parseRecipe(recipe);
    expect(changes.map(({ file }) => file)).toEqual(Array.from(recipe.matchAll(/^`([\w./-]+)`$/gm), ([, file]) => file));
    expect(changes.length).toBeGreaterThan(3);
    for (const change of changes) apply(change, copy);

    const env = { DATA_DIR: newFolder("seeded") };
    const { origin } = await startServer(env, copy);
    const requestOne = (body: object) => requestAt(origin, "/v1/activity/one", { body });
    const response = await requestOne({ activity_uid: "echo" });
    expect(response).toMatchObject({ status: 200, code: 1, data: { activity: { activity_uid: "echo", my_status: null } } });
    expect(await requestOne({ activity_uid: "nothing" })).toMatchObject({ code: 10003, data: null });
    expect(await requestOne({})).toMatchObject({
      code: 10002,
      data: { fields: { activity_uid: "Needed" } },
    });
    const options = { cwd: copy, env, reject: false };
    const { stdout } = await execa(process.execPath, ["scripts/conformance.ts", origin], options);
    expect(stdout).toMatch(/passed +one by itself equals its entry in the list[\s\S]*, 0 failed,/);
    const document = await (await fetch(`${origin}/openapi.json`)).json();
    expect(document.paths["/v1/activity/one"].post.summary).toBe("一个活动 / One activity");
    expect(await (await fetch(`${origin}/docs?lang=zh-CN`)).text()).toContain('<details id="activityOne">');
  });
});
