const surnames =
  "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩邓冯曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭陆范汪廖石金韦贾夏付傅方邹熊白孟秦邱侯江尹薛闫阎段雷龙黎史陶贺毛郝顾龚邵万覃武钱戴严莫孔向常汤康易乔赖文施洪温季倪俞章鲁葛伍申尤毕聂柴焦翁柳邢岳齐梅庄辛管祝左涂谷祁耿牟卜路詹关苗凌费纪靳盛童欧甄项曲成游阳裴席卫查屈鲍位霍翟隋植甘景薄单包司柏宁柯阮桂闵解强丛华车冉房边";
/** The provinces' short names: no person is called by them, and an address begins with them. */
const provinces =
  "北京|天津|上海|重庆|河北|山西|辽宁|吉林|黑龙江|江苏|浙江|安徽|福建|江西|山东|河南|湖北|湖南|广东|海南|四川|贵州|云南|陕西|甘肃|青海|台湾|内蒙古|广西|西藏|宁夏|新疆|香港|澳门";
const provinceAtStart = new RegExp(`^(?:中国)?(?:${provinces})`);
const isAddress =
  /\d|[省市区县镇乡村路街道巷弄号楼室栋幢座层苑园厦坊屯州旗盟]|(?:^|\s)(?:no|room|rm|road|rd|street|st|district|city|building)\b/i;

/** What follows an address and is no name, although 谢 is one. */
const courtesies = /^(?:收|谢谢|多谢|感谢|你好|您好|麻烦了?|加急|包邮)$/;

/** Converts traditional characters of names of regions, one by one. */
export type Simplify = (text: string) => string;

/** Returns whether a short text is a Chinese name: 路遥 is one although 路 means road. */
export function isPerson(text: string, simplify: Simplify): boolean {
  const plain = simplify(text);
  return (
    !courtesies.test(plain) &&
    /^\p{Script=Han}{2,3}$/u.test(text) &&
    surnames.includes(plain.charAt(0)) &&
    !/[省市区县镇乡村路街号楼室]$/.test(plain)
  );
}

export function isName(text: string, simplify: Simplify): boolean {
  const plain = simplify(text);
  if (text === "" || text.length > 25 || courtesies.test(plain) || provinceAtStart.test(plain)) return false;
  if (/^\p{Script=Han}/u.test(text) && !/^[\p{Script=Han}·・]{1,8}$/u.test(text)) return false;
  if (!/^\p{L}[\p{L}\p{M}'’. ·・-]*$/u.test(text)) return false;
  return !isAddress.test(plain) || isPerson(text, simplify);
}

/** Matches a name at the end of an address, without a separator or in brackets. */
const nameAtEnd = new RegExp(`(?<=[号室楼层栋座户\\d(（])([${surnames}]\\p{Script=Han}{1,2})$`, "u");
/** Matches a name before a province, without a separator. */
const nameAtStart = new RegExp(`^(\\p{Script=Han}{2,4}?)(?=(?:中国)?(?:${provinces}))`, "u");

/** Returns the name that an address begins or ends with, without a separator. */
export function getAttachedName(address: string, simplify: Simplify): { name: string; rest: string } | null {
  const plain = simplify(address);
  const first = nameAtStart.exec(plain)?.[1] ?? "";
  if (first && isPerson(address.slice(0, first.length), simplify))
    return { name: address.slice(0, first.length), rest: address.slice(first.length) };
  const last = nameAtEnd.exec(plain)?.[1] ?? "";
  return last ? { name: address.slice(-last.length), rest: address.slice(0, -last.length) } : null;
}
