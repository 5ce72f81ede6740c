const ethnicGroups =
  "维吾尔|壮|回|藏|羌|彝|苗|侗|白|傣|布依|土家|哈尼|景颇|傈僳|朝鲜|蒙古|哈萨克|柯尔克孜|撒拉|保安|东乡|裕固|塔吉克|锡伯|畲|瑶|水|仫佬|毛南|仡佬|黎|满|佤|拉祜|布朗|纳西|怒|独龙|普米|土|达斡尔|各";
/** Requires two characters before the ethnic group: 内蒙古 and 西藏 are names of their own. */
const autonomous = new RegExp(`(?<=..)(?:(?:${ethnicGroups})族?)+自治[区州县旗]$`);
const suffix = /(特别行政区|自治[区州县旗]|地区|林区|新区|[省市区县盟旗])$/;

/** Returns the short names of a region: 广东 of 广东省, 恩施州 and 恩施 of 恩施土家族苗族自治州, 浦东区 and 浦东 of 浦东新区. One character is no name. */
function getShortNames(name: string): string[] {
  const stem = name.replace(autonomous, "").replace(suffix, "");
  const kind = /自治([州县旗])$/.exec(name)?.[1] ?? (name.endsWith("新区") ? "区" : "");
  const all = [...(kind ? [stem + kind] : []), stem, ...(name === "内蒙古自治区" ? ["内蒙"] : [])];
  return all.filter((short) => short.length >= 2 && short !== name);
}

/** Matches what follows a short name that belongs to a street (南京西路), to another region (吉林市 is not 吉林省) or to a house (北京大学). */
const notARegion =
  /^(?:[市县区州旗盟]|[东西南北中]?[一二三四五六七八九十]?(?:路|街|巷|弄|大街|大道|胡同|道(?![里外]))|大学|学院|大厦|银行|酒店|饭店|广场|花园|公馆|公司|小吃)/;

export interface NameMatch<Named> {
  region: Named;
  rest: string;
}

/** Returns the region with the longest name at the start of a text, and what follows it. `fullOnly` ignores short names. */
export function matchName<Named extends { name: string }>(
  text: string,
  regions: readonly Named[],
  fullOnly: (region: Named) => boolean = () => false,
): NameMatch<Named> | null {
  let best: (NameMatch<Named> & { length: number }) | null = null;
  for (const region of regions) {
    for (const name of [region.name, ...(fullOnly(region) ? [] : getShortNames(region.name))]) {
      if (!text.startsWith(name) || (best && best.length >= name.length)) continue;
      const rest = text.slice(name.length);
      if (name !== region.name && notARegion.test(rest)) continue;
      best = { region, rest, length: name.length };
    }
  }
  return best;
}

const gap = "[\\s,，、。·/>》|:：;；()（）\\[\\]【】\\p{Pd}]*";
const gapAtStart = new RegExp(`^${gap}`, "u");
export const skipGap = (text: string): string => text.replace(gapAtStart, "");

/** Removes what stands between the names of regions: 北京 北京市 朝阳区, 湖北省直辖县级行政区划, 新疆生产建设兵团第八师石河子市, 香港九龙. */
export function stripHeading(text: string, name: string): string {
  const short = name.replace(autonomous, "").replace(suffix, "");
  const more = name.startsWith("新疆")
    ? "|(?:生产建设)?兵团|(?:农业建设)?第?[一二三四五六七八九十]+师"
    : name.startsWith("香港")
      ? "|九龙|新界|港岛|香港岛"
      : "";
  const heading = new RegExp(
    `^(?:${name}|${short}(?=[\\s,，])|市辖区|[省市]?(?:自治区)?直辖县级行政(?:区划|单位)|省(?=\\p{Script=Han})|县(?=[\\s\\p{Script=Han}]{2,6}县)${more})${gap}`,
    "u",
  );
  let rest = skipGap(text);
  for (let count = 0; count < 3; count += 1) rest = rest.replace(heading, "");
  return rest;
}
