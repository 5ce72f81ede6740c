import * as v from "valibot";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { splitPrefix } from "../../i18n/locale.ts";
import { offline, openPage, type Page } from "../support/client/browser.ts";
import { createTestServer, newMobile, type TestServer } from "../support/processes/test-server.ts";

let server: TestServer;

const shape = v.partial(v.object({ name: v.string(), party: v.number() }));

/** Opens a page with a form in the tab with the storage `tab`, or in a new tab. */
async function openForm(path: string, tab?: Storage) {
  const page = openPage(path, server);
  if (tab) Object.defineProperty(globalThis, "sessionStorage", { value: tab, configurable: true, writable: true });
  const lib = await import("../../src/lib/draft.ts");
  const session = await import("../../src/features/session/store.ts");
  return { page, form: lib.draft("form", shape, splitPrefix), ...session, tab: sessionStorage };
}

const member = (id: string) => ({
  id,
  nickname: "x",
  avatar: null,
  mobile_masked: "138****8000",
  account: null,
  activated: true,
  membership: null,
  created_at: "2026-01-01T00:00:00Z",
});

describe("a form draft", () => {
  beforeEach(async () => {
    server = await createTestServer("PGlite");
  });

  it("is restored after a reload and in the other language, but not on another page", async () => {
    const { form, tab } = await openForm("/event/spring");
    form.save({ name: "Anna" });
    form.save({ party: 2 });
    for (const path of ["/event/spring", "/en-US/event/spring", "/zh-CN/event/spring"]) {
      const again = await openForm(path, tab);
      expect(again.form.$values.get()).toEqual({});
      again.form.restore();
      expect(again.form.$values.get()).toEqual({ name: "Anna", party: 2 });
    }
    const elsewhere = await openForm("/user/info", tab);
    elsewhere.form.restore();
    expect(elsewhere.form.$values.get()).toEqual({});
  });

  it("is cleared after submitting", async () => {
    const { form, tab } = await openForm("/event/spring");
    form.save({ name: "Anna" });
    form.clear();
    expect(form.$values.get()).toEqual({});
    const again = await openForm("/event/spring", tab);
    again.form.restore();
    expect(again.form.$values.get()).toEqual({});
  });

  it("keeps input that is newer than the draft to restore", async () => {
    const { form, tab } = await openForm("/event/spring");
    form.save({ name: "Anna", party: 2 });
    const again = await openForm("/event/spring", tab);
    again.form.save({ name: "Bert" });
    again.form.restore();
    expect(again.form.$values.get()).toMatchObject({ name: "Bert" });
  });

  it.each(["{", "null", "[]", '"x"', '{"name":7}'])("ignores unreadable storage: %s", async (stored) => {
    const { form } = await openForm("/event/spring");
    sessionStorage.setItem("DRAFT /event/spring form", stored);
    form.restore();
    expect(form.$values.get()).toEqual({});
  });

  it("stays in memory when storage is denied", async () => {
    const denied = new Proxy(sessionStorage ?? {}, {
      get() {
        throw new Error("denied");
      },
    });
    const { form } = await openForm("/event/spring", denied);
    form.restore();
    form.save({ name: "Anna" });
    expect(form.$values.get()).toEqual({ name: "Anna" });
    form.clear();
    expect(form.$values.get()).toEqual({});
  });

  it("survives an expired session for the same member", async () => {
    const { form, tab, beginSession, endSession } = await openForm("/user/info");
    beginSession("token-of-anna-0123456789", member("anna"));
    form.save({ name: "Anna" });
    endSession(true);
    const login = await openForm("/user/login", tab);
    login.beginSession("token-of-anna-1123456789", member("anna"));
    const again = await openForm("/user/info", tab);
    again.form.restore();
    expect(again.form.$values.get()).toEqual({ name: "Anna" });
  });

  it("is cleared when another member logs in", async () => {
    const { form, tab, beginSession, endSession } = await openForm("/user/info");
    beginSession("token-of-anna-0123456789", member("anna"));
    form.save({ name: "Anna" });
    endSession(true);
    const login = await openForm("/user/login", tab);
    login.beginSession("token-of-bert-0123456789", member("bert"));
    const again = await openForm("/user/info", tab);
    again.form.restore();
    expect(again.form.$values.get()).toEqual({});
    expect(JSON.stringify(tab.getItem("DRAFT /user/info form"))).not.toContain("Anna");
  });

  it("is restored after the login of the visitor who wrote it", async () => {
    const { form, tab } = await openForm("/event/spring");
    form.save({ name: "Anna" });
    const login = await openForm("/user/login", tab);
    login.beginSession("token-of-anna-0123456789", member("anna"));
    const again = await openForm("/event/spring", tab);
    again.form.restore();
    expect(again.form.$values.get()).toEqual({ name: "Anna" });
  });

  it("is cleared by logging out, also in other tabs", async () => {
    const first = await openForm("/user/info");
    first.form.save({ name: "Anna" });
    first.logOut();
    expect(first.tab.length).toBe(0);
    expect([...first.page.storage.keys()]).toEqual([]);
    const token = await server.logIn(newMobile());
    const two = await openForm("/user/info");
    two.page.writeFromOtherTab("TOKEN", token);
    two.startSession();
    two.form.save({ name: "Anna" });
    two.page.writeFromOtherTab("LOGGED_OUT", "1");
    two.page.writeFromOtherTab("TOKEN", "");
    expect([...Array(two.tab.length)].map((_, n) => two.tab.key(n))).toEqual([]);
  });
});

let page: Page;
let toFields: typeof import("../../src/features/address/fill-fields.ts")["toFields"];

const shapes: [pasted: string, region_code: string | undefined, detail: string][] = [
  ["广东省深圳市南山区科技园南路8号", "440305", "科技园南路8号"],
  ["广东省 深圳市 南山区 科技园南路8号", "440305", "科技园南路8号"],
  ["广东深圳南山区科技园南路8号", "440305", "科技园南路8号"],
  ["广东，深圳，南山，科技园南路8号", "440305", "科技园南路8号"],
  ["深圳市南山区科技园南路8号", "440305", "科技园南路8号"],
  ["深圳南山区科技园南路8号", "440305", "科技园南路8号"],
  ["中国广东省深圳市南山区科技园南路8号", "440305", "科技园南路8号"],
  ["广东省东莞市南城街道鸿福路1号", "441900", "南城街道鸿福路1号"],
  ["北京市朝阳区建国路88号", "110105", "建国路88号"],
  ["北京 北京市 朝阳区 建国路88号", "110105", "建国路88号"],
  ["北京市北京市朝阳区建国路88号", "110105", "建国路88号"],
  ["北京市市辖区朝阳区建国路88号", "110105", "建国路88号"],
  ["上海徐汇区龙腾大道2555号", "310104", "龙腾大道2555号"],
  ["上海市上海市浦东新区世纪大道100号", "310115", "世纪大道100号"],
  ["重庆市渝中区解放碑步行街", "500103", "解放碑步行街"],
  ["江苏省苏州市昆山市花桥镇", "320583", "花桥镇"],
  ["江苏省昆山市花桥镇", "320583", "花桥镇"],
  ["浙江义乌市稠州北路", "330782", "稠州北路"],
  ["吉林省吉林市船营区北京路", "220204", "北京路"],
  ["吉林市船营区北京路", "220204", "北京路"],
  ["内蒙古自治区呼和浩特市新城区海拉尔大街", "150102", "海拉尔大街"],
  ["内蒙古呼和浩特新城区海拉尔大街", "150102", "海拉尔大街"],
  ["湖北省恩施土家族苗族自治州恩施市舞阳坝街道", "422801", "舞阳坝街道"],
  ["湖北恩施州恩施市舞阳坝街道", "422801", "舞阳坝街道"],
  ["湖北省省直辖县级行政区划仙桃市沔街", "429004", "沔街"],
  ["云南省大理市古城", "532901", "古城"],
  ["广西壮族自治区南宁市青秀区民族大道", "450103", "民族大道"],
  ["新疆乌鲁木齐市天山区解放路", "650102", "解放路"],
  ["西藏拉萨城关区北京中路", "540102", "北京中路"],
  ["黑龙江哈尔滨道里区中央大街", "230102", "中央大街"],
  ["香港特别行政区沙田区大围", "810016", "大围"],
  ["台湾省台北市信义区", "710000", "台北市信义区"],
  // Regions above the last level: the member completes them.
  ["江苏省苏州市工业园区星湖街", "320500", "工业园区星湖街"],
  ["广东省深圳市", "440300", ""],
  // Addresses without a region.
  ["南京西路1266号恒隆广场", undefined, "南京西路1266号恒隆广场"],
  ["朝阳区建国路88号", undefined, "朝阳区建国路88号"],
  ["8 Keji South Road", undefined, "8 Keji South Road"],
];

describe("filling in a pasted address", () => {
  beforeAll(async () => {
    // The page is English, the pasted addresses are Chinese.
    page = openPage("/en-US/user/info", await createTestServer("PGlite"));
    ({ toFields } = await import("../../src/features/address/fill-fields.ts"));
  });

  it.each(shapes)("recognises the region in the address %s", async (pasted, region_code, detail) => {
    const { fields } = await toFields(`张三 13800138000 ${pasted}`);
    expect(fields).toEqual({
      name: "张三",
      mobile: "13800138000",
      ...(region_code ? { region_code } : {}),
      ...(detail ? { detail } : {}),
    });
  });

  it("requests the children of every region only once", () => {
    const bodies = page.requests.map(({ body }) => JSON.stringify(body));
    expect(bodies.length).toBeGreaterThan(30);
    expect(new Set(bodies).size).toBe(bodies.length);
  });
});

describe("filling in a pasted address offline", () => {
  it("fills in name and mobile and leaves the whole address as the detail", async () => {
    const broken = openPage("/user/info", await createTestServer("PGlite"));
    broken.network = offline;
    const fresh = await import("../../src/features/address/fill-fields.ts");
    expect(await fresh.toFields("张三 13800138000 广东省深圳市南山区科技园南路8号")).toEqual({
      fields: { name: "张三", mobile: "13800138000", detail: "广东省深圳市南山区科技园南路8号" },
      unsure: ["region_code"],
    });
  });
});
