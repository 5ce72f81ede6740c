// `npm run mini-program -- build`: writes the mini program that pay codes open, as WeChat's developer tools open it.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { defaultLocale } from "#i18n/locale.ts";
import { loadEnvFile } from "#server/config/env-file.ts";
import { bundleScript } from "#src/build/bundle-script.ts";
import { type Accent, grounds, toTokens } from "#src/lib/accent.ts";
import { colors } from "../tailwind.config.mjs";
import { readContent } from "./catalogue.ts";
import { root } from "./child-processes.ts";
import { callerFolder, findShop } from "./shop-paths.ts";

const usage =
  "npm run mini-program -- build --origin https://shop.example --appid wx0123456789abcdef [--name <shop>] [--out <folder>]";
const sources = join(root, "mini-program");
const page = "pages/pay/pay";
const project = "project.config.json";

export interface MiniProgram {
  /** The server's origin. */
  origin: string;
  appid: string;
  /** In the bar above the page, until the order names the shop in the payer's language. */
  name: string;
  accent: Accent;
}

/** Writes the mini program into a folder. */
export async function writeMiniProgram({ origin, appid, name, accent }: MiniProgram, folder: string): Promise<void> {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const writeJson = (path: string, value: object) => write(path, `${JSON.stringify(value, null, 2)}\n`);
  const read = (path: string) => readFileSync(join(sources, path), "utf8");
  const readJson = (path: string) => JSON.parse(read(path));

  const app = readJson("app.json");
  writeJson("app.json", { ...app, window: { ...app.window, navigationBarTitleText: name } });
  // WeChat's tools decode the name.
  writeJson(project, { ...readJson(project), appid, projectname: encodeURIComponent(name) });
  writeJson("theme.json", {
    light: { ground: grounds.light, text: "black" },
    dark: { ground: grounds.dark, text: "white" },
  });
  write("app.wxss", formatColors(accent));
  for (const path of ["sitemap.json", `${page}.json`, `${page}.wxml`, `${page}.wxss`]) write(path, read(path));
  for (const path of ["app", page]) {
    // Older phones run no later syntax.
    const { code } = await bundleScript(join(sources, `${path}.ts`), { ORIGIN: JSON.stringify(origin) }, "es2018");
    write(`${path}.js`, `${code}\n`);
  }
}

/** Returns the colours of the site as a style sheet, by the phone's mode. */
function formatColors(accent: Accent): string {
  const tokens = toTokens(accent);
  const format = (mode: keyof Accent, at: 0 | 1) => {
    const { accent, "on-accent": onAccent, "accent-ink": accentInk, sign, "on-sign": onSign } = tokens[mode];
    const own = { accent, "on-accent": onAccent, "accent-ink": accentInk, sign, "on-sign": onSign };
    const shared = ["bg", "surface", "sunken", "ink", "ink-2", "ink-3"].map((name) => [name, colors[name]?.[at]]);
    const lines = [...shared, ...Object.entries(own)].map(([name, color]) => `  --${name}: ${color};\n`);
    return `page {\n${lines.join("")}  background: var(--bg);\n}\n`;
  };
  return `${format("light", 0)}@media (prefers-color-scheme: dark) {\n${format("dark", 1)}}\n`;
}

/** Returns what is wrong with a folder to write into, null for an empty one, or one that this command wrote. */
function findFolderFault(folder: string): string | null {
  if (!existsSync(folder) || readdirSync(folder).length === 0) return null;
  const { description } = JSON.parse(readFileSync(join(sources, project), "utf8"));
  const file = join(folder, project);
  const isOwn = existsSync(file) && readFileSync(file, "utf8").includes(JSON.stringify(description));
  return isOwn ? null : `${folder} has files that this command did not write: name another folder with --out.`;
}

/** Returns the origin as it is written into the program, null if it is none or not https. */
function parseOrigin(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url?.protocol === "https:" && (text === url.origin || text === `${url.origin}/`) ? url.origin : null;
}

function stop(message: string): never {
  console.error(message);
  process.exit(1);
}

function readArguments() {
  const text = { type: "string" } as const;
  try {
    return parseArgs({ allowPositionals: true, options: { origin: text, appid: text, name: text, out: text } });
  } catch {
    return stop(usage);
  }
}

async function build(): Promise<void> {
  const { values, positionals } = readArguments();
  const { origin: given = "", appid = "", out } = values;
  if (positionals.join() !== "build" || !given || !appid) stop(usage);
  const origin = parseOrigin(given);
  if (!origin) stop(`--origin: ${given} must be the https address of the server without a path, such as https://shop.example.`);
  if (!/^wx[0-9a-f]{16}$/.test(appid))
    stop(`--appid: ${appid} must be wx and 16 digits or letters a to f, as mp.weixin.qq.com shows it.`);
  const folder = out ? resolve(callerFolder, out) : join(sources, "dist");
  const fault = findFolderFault(folder);
  if (fault) stop(fault);
  const content = await readContent(findShop());
  if (!content) process.exit(1);
  const { title, accent } = content.site[defaultLocale];
  await writeMiniProgram({ origin, appid, name: values.name || title, accent }, folder);
  console.log(`Wrote the mini program for ${origin} into ${folder}

1. On mp.weixin.qq.com (开发管理, 服务器域名), enter the request domain ${origin}
2. Open the folder in WeChat's developer tools (导入项目), and upload it (上传).
3. Set WECHAT_APPID=${appid} WECHAT_PAGE=${page} for the server, and WECHAT_ENV_VERSION=trial until it is published.
4. npm run doctor checks the rest.`);
}

if (import.meta.main) {
  loadEnvFile();
  await build();
}
