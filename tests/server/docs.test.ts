import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseEnv } from "node:util";
import type { JsonSchema } from "@valibot/to-json-schema";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import * as v from "valibot";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { locales } from "#i18n/locale.ts";
import { docsResponseCode } from "#i18n/response-code.ts";
import { referenceFiles } from "#scripts/write-reference.ts";
import { readConfig } from "#server/config/config.ts";
import { groups } from "#server/config/variables.ts";
import { examplesFile, readExamples } from "#server/docs/operation.ts";
import type { ServedCall } from "#src/api/call.ts";
import { forwardRequests, forwardTargets } from "#src/api/concert.ts";
import { contract } from "#src/api/contract.ts";
import { codes } from "#src/api/envelope.ts";
import { client, type TestResponse } from "#tests/support/client/client.ts";
import { recordExamples } from "#tests/support/contract/examples.ts";
import { toArbitrary } from "#tests/support/contract/json-schema.ts";
import { mutations } from "#tests/support/contract/payloads.ts";
import { databaseSeededAt, describeOnEngines, type engines } from "#tests/support/database/database.ts";
import { createTestServer } from "#tests/support/processes/test-server.ts";
import { root, sources } from "#tests/support/rules/sources.ts";
import { colors } from "../../tailwind.config.mjs";

const calls = Object.entries<ServedCall>(contract);
const examples = readExamples();
/** The parts of the document that tests read. */
const openapiDocument = v.looseObject({
  paths: v.record(
    v.string(),
    v.record(
      v.string(),
      v.looseObject({
        security: v.array(v.record(v.string(), v.array(v.string()))),
        requestBody: v.optional(v.unknown()),
        responses: v.record(
          v.string(),
          v.looseObject({
            description: v.optional(v.string()),
            content: v.optional(
              v.record(v.string(), v.looseObject({ examples: v.optional(v.record(v.string(), v.unknown())) })),
            ),
          }),
        ),
      }),
    ),
  ),
  components: v.looseObject({
    schemas: v.record(
      v.string(),
      v.custom<JsonSchema>((schema) => typeof schema === "object"),
    ),
    responses: v.record(v.string(), v.unknown()),
  }),
  "x-limits": v.unknown(),
});
let openapi: TestResponse;
let document: v.InferOutput<typeof openapiDocument>;
const ajv = new Ajv2020({ strict: false, validateFormats: false });

beforeAll(async () => {
  openapi = await (await createTestServer("PGlite", { env: { CODE_TRIES: "7" } })).request("/openapi.json");
  document = v.parse(openapiDocument, JSON.parse(openapi.text));
  ajv.addSchema(document, "contract");
});

/** Compiles a schema of the document with its references. */
const compileSchema = (pointer: string) => ajv.compile({ $ref: `contract#${pointer}` });
const escapePointer = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");
const responseSchema = ({ path, method }: ServedCall) =>
  `/paths/${escapePointer(path)}/${method.toLowerCase()}/responses/200/content/application~1json/schema`;
const requestSchema = ({ path }: ServedCall) =>
  `/paths/${escapePointer(path)}/post/requestBody/content/application~1json/schema`;

/** Returns the schema at a pointer of the document. */
const getSchema = (pointer: string): JsonSchema =>
  pointer
    .split("/")
    .slice(1)
    .reduce((inner: object, name) => Object(inner)[name.replaceAll("~1", "/").replaceAll("~0", "~")], document);

/** Returns whether the target of a forwarded request accepts its data, which the server checks later. */
function acceptsForwarded(payload: unknown): boolean {
  const { request_url, request_data } = Object(payload);
  const target = forwardTargets.find((path) => path === request_url);
  return !target || v.is(forwardRequests()[target], request_data);
}

describe("/openapi.json", () => {
  it("is valid against the schema of OpenAPI 3.1", () => {
    // Ajv resolves the dynamic anchor in JSON Schema's own schema; the standard's default is required here.
    const text = readFileSync("tests/support/contract/openapi-3.1.schema.json", "utf8");
    const standard = JSON.parse(text.replaceAll('"$dynamicRef": "#meta"', '"$ref": "#/$defs/schema"'));
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(standard);
    expect(validate(document), JSON.stringify(validate.errors?.slice(0, 3))).toBe(true);
    const { description: _gone, ...broken } = Object(document.paths["/v1/goods/info"]?.post?.responses["200"]);
    const paths = { "/v1/goods/info": { post: { responses: { "200": broken } } } };
    expect(validate({ ...document, paths })).toBe(false);
    for (const schema of Object.values(document.components.schemas)) expect(ajv.validateSchema(Object(schema))).toBe(true);
  });

  it("lists exactly the calls of the contract", () => {
    const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(Object(methods)).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(listed).toEqual(calls.map(([, { method, path }]) => `${method} ${path}`));
  });

  it.each(calls)("documents access, error codes and examples in both languages for %s", (name, call) => {
    const operation = document.paths[call.path]?.[call.method.toLowerCase()];
    expect(operation?.security).toEqual(call.access === "session" ? [{ session: [] }] : [{}, { session: [] }]);
    const { description, content } = operation?.responses["200"] ?? {};
    for (const refusal of call.errors.filter((one) => one !== "unavailable")) {
      for (const locale of locales) expect(description).toContain(docsResponseCode[locale][refusal]);
      expect(JSON.stringify(content)).toContain(`Refusal${codes[refusal]}`);
    }
    expect(Object.keys(content?.["application/json"]?.examples ?? {})).toEqual([...locales]);
    for (const locale of locales) {
      const example = examples[name]?.[locale];
      const accepts = compileSchema(responseSchema(call));
      expect(accepts(example?.answer), JSON.stringify(accepts.errors)).toBe(true);
      expect(accepts({ ...example?.answer, msg: undefined })).toBe(false);
      if (call.method === "POST") expect(compileSchema(requestSchema(call))(example?.payload)).toBe(true);
    }
  });

  it.each(calls)("accepts and rejects the same mutated payloads and responses of %s as the contract", (name, call) => {
    const example = examples[name]?.["en-US"];
    const data = example?.answer.data;
    const accepts = compileSchema(responseSchema(call));
    for (const wrong of mutations(data)) {
      expect({ wrong, accepts: accepts({ ...example?.answer, data: wrong }) }).toEqual({
        wrong,
        accepts: v.is(call.data, wrong),
      });
    }
    if (call.method === "GET") return;
    const acceptsPayload = compileSchema(requestSchema(call));
    for (const wrong of mutations(example?.payload)) {
      const accepts = v.is(call.payload, wrong) && (name !== "forward" || acceptsForwarded(wrong));
      expect({ wrong, accepts: acceptsPayload(wrong) }).toEqual({ wrong, accepts });
    }
  });

  it.each(calls.filter(([, { method }]) => method === "POST"))(
    "allows no body of %s that the server refuses for its form",
    { tags: ["full"] },
    async (name, call) => {
      const server = await createTestServer("PGlite");
      const visitor = client(server);
      const token = await server.logIn("13800138000");
      const { app_user_token } = await visitor.call(contract.userToken, {}, { token });
      const own = {
        request_method: "POST",
        request_header: { authorization: `Bearer ${app_user_token}`, "content-type": "application/json" },
      };
      const accepts = compileSchema(requestSchema(call));
      const schema = getSchema(requestSchema(call));
      const bodies = toArbitrary(schema, document.components.schemas).filter((body) => accepts(body) === true);
      await fc.assert(
        fc.asyncProperty(bodies, async (body) => {
          const { code, data } = await visitor.send(call, name === "forward" ? { ...Object(body), ...own } : body, { token });
          // Which regions there are is no matter of form.
          const { region_code: _region, ...fields } = Object(Object(data).fields);
          expect({ code, fields }).toEqual({ code, fields: {} });
        }),
        { numRuns: 50 },
      );
    },
  );

  it("names its license and the origin under which it is read, and describes the response to another method", async () => {
    const read = v.parse(
      v.looseObject({
        servers: v.array(v.object({ url: v.string() })),
        info: v.looseObject({ license: v.object({ name: v.string(), identifier: v.string() }) }),
      }),
      JSON.parse(openapi.text),
    );
    expect(read.info.license).toEqual({ name: "MIT", identifier: "MIT" });
    expect(read.servers).toEqual([{ url: expect.stringMatching(/^https?:\/\/[^/]+$/) }]);
    const server = await createTestServer("PGlite", { env: { HOST_ORIGIN: "https://api.example" } });
    expect(JSON.parse((await server.request("/openapi.json")).text).servers).toEqual([{ url: "https://api.example" }]);
    for (const [, { path, method }] of calls)
      expect(document.paths[path]?.[method.toLowerCase()]?.responses).toHaveProperty("405");
    const used = JSON.stringify(document.paths);
    for (const status of Object.keys(document.components.responses))
      expect(used).toContain(`#/components/responses/${status}"`);
  });

  it("has the concert plan that requests without an id are about, and no required body for them", () => {
    const body = document.paths["/v1/marsx/getplan"]?.post?.requestBody;
    const schema = { properties: { id: { type: "integer", default: 1001 } } };
    expect(body).toMatchObject({ required: false, content: { "application/json": { schema } } });
  });

  it("contains the configured limits", () => {
    expect(document["x-limits"]).toMatchObject({ body_bytes: 65_536, code_tries: 7, calls_per_minute: 0 });
  });

  it("allows every origin and reveals no internals", () => {
    expect(openapi.headers.get("access-control-allow-origin")).toBe("*");
    expect(openapi.headers.get("content-type")).toBe("application/json");
    expect(openapi.text).not.toMatch(/valibot|node_modules|src\/|undefined/);
  });
});

describe("/docs", () => {
  it.each(locales)("renders every call, code and shape in %s without scripts or external resources", async (locale) => {
    const server = await createTestServer("PGlite");
    const response = await server.fetch(new Request("http://host.test/docs", { headers: { "accept-language": locale } }));
    const html = await response.text();
    expect(response.headers.get("content-language")).toBe(locale);
    expect(response.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; base-uri/);
    expect(html).toContain(`<html lang="${locale}">`);
    for (const [name, { path }] of calls) expect(html).toMatch(new RegExp(`<details id="${name}">.*${path}<`));
    for (const code of Object.values(codes)) expect(html).toContain(`<code>${code}</code>`);
    for (const [, shape] of html.matchAll(/href="#(\w+)"/g)) expect(html).toContain(`id="${shape}"`);
    expect(html).not.toMatch(/<script|<link|<img|style=| on\w+=|undefined|\[object/);
    const chinese = await server.fetch(
      new Request("http://host.test/docs?lang=zh-CN", { headers: { "accept-language": locale } }),
    );
    expect(chinese.headers.get("content-language")).toBe("zh-CN");
  });

  it("uses the colours of the site", () => {
    const css = readFileSync("server/http/page.css", "utf8");
    const found = Array.from(css.matchAll(/--([\w-]+): light-dark\((#\w+), (#\w+)\);/g));
    // The others follow from a shop's accent.
    const shared = found.filter(([, name = ""]) => name in colors);
    expect(shared.length).toBeGreaterThan(6);
    for (const [, name = "", light, dark] of shared)
      expect({ name, values: [light, dark] }).toEqual({ name, values: colors[name] });
  });
});

// Update with `npx vitest run --project server tests/server/docs.test.ts -u`.
afterEach(() => vi.useRealTimers());

/** Records the examples at a server with a fixed clock. */
async function recorded(engine: (typeof engines)[number]) {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-03-02T10:00:00+08:00") });
  const createServer = async () => createTestServer(engine, { db: await databaseSeededAt(engine, new Date()) });
  const chinese = await recordExamples(await createServer(), "zh-CN");
  const english = await recordExamples(await createServer(), "en-US");
  return Object.fromEntries(Object.keys(chinese).map((name) => [name, { "zh-CN": chinese[name], "en-US": english[name] }]));
}

describeOnEngines("the examples of the API documentation on %s", (engine) => {
  it("match the server's responses", async () => {
    const examples = await recorded(engine);
    expect(Object.keys(examples)).toEqual(Object.keys(contract));
    for (const [name, call] of Object.entries<ServedCall>(contract)) {
      for (const example of Object.values(examples[name] ?? {})) {
        expect(v.safeParse(call.payload, example?.payload).issues, name).toBeUndefined();
        expect(v.safeParse(call.data, example?.answer.data).issues, name).toBeUndefined();
      }
    }
    await expect(`${JSON.stringify(examples, null, 2)}\n`).toMatchFileSnapshot(examplesFile);
  });
});

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
  it.each(Object.entries(referenceFiles()))("lists the variables of the table in %s", (name, text) => {
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
    for (const [, name = ""] of texts.join("").matchAll(/npm run (?:--silent )?([\w:-]+)/g))
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

it("the texts of the interface promise nothing that the server does not do", () => {
  expect(textsIn(interfaceTexts).filter((text) => promises.test(text))).toEqual([]);
});
