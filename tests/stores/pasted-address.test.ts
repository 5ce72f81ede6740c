import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { offline, openPage, type Page } from "#tests/support/client/browser.ts";
import { readTable } from "#tests/support/content/table.ts";
import { createTestServer, type TestServer } from "#tests/support/processes/test-server.ts";

/** Texts, each with what a person reads in it: name, number, names of the regions, detail. */
const pastedAddresses = readTable(join(import.meta.dirname, "pasted-addresses.tsv")).map(([pasted = "", ...parts]) => [
  String(JSON.parse(`"${pasted}"`)),
  ...parts,
]);

describe("a pasted address", () => {
  let page: Page;
  let toFields: typeof import("#src/features/address/fill-fields.ts")["toFields"];
  let getRegion: typeof import("#src/features/address/region.ts")["getRegion"];
  beforeAll(async () => {
    // The page is English, the pasted addresses are Chinese.
    page = openPage("/en-US/user/info", await createTestServer("PGlite"));
    ({ toFields } = await import("#src/features/address/fill-fields.ts"));
    ({ getRegion } = await import("#src/features/address/region.ts"));
  });

  async function read(pasted: string) {
    const { fields, unsure } = await toFields(pasted);
    const { region, parents } = await getRegion(fields.region_code ?? "", "zh-CN");
    const regions = [...parents, region].map((one) => one?.name ?? "").join("");
    return { parts: [fields.name ?? "", fields.mobile ?? "", regions, fields.detail ?? ""], unsure };
  }

  it("is read as a person reads it in all cases but ten, and in these says so, with one request for each region", {
    timeout: 60_000,
  }, async () => {
    expect(pastedAddresses.length).toBeGreaterThanOrEqual(270);
    const wrong: { pasted: string; parts: string[]; expected: string[]; unsure: string[] }[] = [];
    for (const [pasted = "", ...expected] of pastedAddresses) {
      const { parts, unsure } = await read(pasted);
      if (parts.join("|") !== expected.join("|")) wrong.push({ pasted, parts, expected, unsure });
    }
    expect(wrong.filter(({ unsure }) => unsure.length === 0)).toEqual([]);
    expect(wrong.slice(10)).toEqual([]);
    const bodies = page.requests.map(({ body }) => JSON.stringify(body));
    expect(new Set(bodies).size).toBe(bodies.length);
  });

  it.each([
    ["李测 广东省深圳市南山区科技路1号", ["mobile"]],
    ["13900000001 广东省深圳市南山区科技路1号", ["name"]],
    ["李测 13900000001 苏州市工业园区星湖街1号", ["region_code"]],
    ["李测 13900000001 广东省深圳市南山区", ["detail"]],
    ["李测 13900000001 13800000002 广东省深圳市南山区科技路1号", ["mobile"]],
    ["李测 +852 9123 4567 香港沙田区源禾路1号", ["mobile"]],
    ["寄件人：张三 13800000002 收件人：李测 13900000001 广东省深圳市南山区科技路1号", ["mobile"]],
    ["这是一段没有地址的话，你好", ["name", "mobile", "region_code"]],
  ])("names what it lacks, or has twice: %s", async (pasted, unsure) => {
    expect((await read(pasted)).unsure).toEqual(unsure);
  });
});

describe("a second pasted address", () => {
  const first = "李测 13900000001 广东省深圳市南山区科技路1号";
  const second = "13800000002 江苏省苏州市工业园区测试路1号";
  const [nanshan, suzhou] = ["440305", "320500"];
  let form: Awaited<ReturnType<typeof openForm>>;
  beforeEach(async () => {
    form = await openForm(await createTestServer("PGlite"));
  });

  /** Opens the form in the tab with the storage `tab`, or in a new tab. */
  async function openForm(server: TestServer, tab?: Storage) {
    const page = openPage("/user/info", server);
    if (tab) Object.defineProperty(globalThis, "sessionStorage", { value: tab, configurable: true, writable: true });
    const { paste } = await import("#src/features/address/paste.ts");
    const { addressDraft } = await import("#src/features/address/address-draft.ts");
    return { page, server, paste, addressDraft };
  }

  async function paste(text: string) {
    const results: unknown[] = [];
    await form.paste(text, (result) => results.push(result));
    return results[0];
  }
  const type = (typed: Record<string, string>) => form.addressDraft.save(typed);
  function read() {
    const { name, mobile, region_code, detail } = form.addressDraft.$values.get();
    return [name, mobile, region_code, detail];
  }

  it("replaces everything that the first one filled in, also by nothing", async () => {
    expect(await paste(first)).toEqual({ unsure: [], unchanged: [] });
    expect(read()).toEqual(["李测", "13900000001", nanshan, "科技路1号"]);
    expect(await paste("")).toBeNull();
    expect(await paste(second)).toEqual({ unsure: ["name", "region_code"], unchanged: [] });
    expect(read()).toEqual(["", "13800000002", suzhou, "工业园区测试路1号"]);
    await paste(first);
    expect(read()).toEqual(["李测", "13900000001", nanshan, "科技路1号"]);
  });

  it("keeps what was typed before or after the first one, and says so where it differs", async () => {
    type({ name: "王小明" });
    expect(await paste(first)).toEqual({ unsure: [], unchanged: ["name"] });
    type({ detail: "科技路1号3栋" });
    expect(await paste(second)).toEqual({ unsure: ["region_code"], unchanged: ["detail"] });
    expect(read()).toEqual(["王小明", "13800000002", suzhou, "科技路1号3栋"]);
  });

  it("replaces a region that completes the first one's, and keeps one of another place", async () => {
    await paste(second);
    type({ region_code: "320506" });
    await paste(first);
    expect(read()[2]).toBe(nanshan);
    type({ region_code: "310104" });
    expect(await paste(second)).toMatchObject({ unchanged: ["region_code"] });
    expect(read()[2]).toBe("310104");
  });

  it("replaces what the first one filled in after a reload, too", async () => {
    await paste(first);
    form = await openForm(form.server, sessionStorage);
    form.addressDraft.restore();
    await paste(second);
    expect(read()).toEqual(["", "13800000002", suzhou, "工业园区测试路1号"]);
  });

  it("wins over the first one when both are still being read, and fills name and number without a connection", async () => {
    await Promise.all([paste(first), paste(second)]);
    expect(read()[1]).toBe("13800000002");
    form.page.network = offline;
    expect(await paste("李测 13900000001 云南省昆明市五华区翠湖北路2号")).toEqual({
      unsure: ["region_code"],
      unchanged: [],
    });
    const [name, mobile, , detail] = read();
    expect([name, mobile, detail]).toEqual(["李测", "13900000001", "云南省昆明市五华区翠湖北路2号"]);
  });
});
