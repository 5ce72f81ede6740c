import { beforeAll, describe, expect, it } from "vitest";
import { offline, openPage, type Page } from "../support/client/browser.ts";
import { createTestServer } from "../support/processes/test-server.ts";

let page: Page;
let toFields: typeof import("../../src/features/address/fill-fields.ts")["toFields"];
beforeAll(async () => {
  // The page is English, the pasted addresses are Chinese.
  page = openPage("/en-US/user/info", await createTestServer("PGlite"));
  ({ toFields } = await import("../../src/features/address/fill-fields.ts"));
});

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
      isWhole: false,
    });
  });
});
