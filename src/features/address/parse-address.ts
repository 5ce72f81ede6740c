/** Parts of a pasted "name phone address". Text that is neither name nor mobile number belongs to the address; only labels are dropped. */
export interface PastedAddress {
  name: string;
  mobile: string;
  address: string;
}

const labels: Record<keyof PastedAddress, string> = {
  name: "收货人姓名|收件人姓名|收货人|收件人|联系人|姓名|recipient|name",
  mobile: "手机号码|电话号码|联系电话|联系方式|收货电话|收件人电话|手机号|手机|电话|mobile|phone|tel",
  address: "所在地区|省市区|地区|详细地址|收货地址|收件地址|邮寄地址|寄送地址|地址|address",
};
const kinds = ["name", "mobile", "address"] as const;
const label = new RegExp(
  `(?<=^|[\\s,，;；、|/【\\[(（])(?:(${labels.name})|(${labels.mobile})|(${labels.address}))(?:[】\\])）]\\s*[:：]?|\\s*[:：]|(?=\\s))\\s*`,
  "gi",
);
const mobile = /[(（]?(?<!\d)(?:(?:\+|00)?86[)）]?[\s-]*)?(1[3-9]\d[\s-]?\d{4}[\s-]?\d{4})(?!\d)/;
const separators = /[\s,，;；、|/。【】[\]]+/;
const atStart = /[\s,，;；:：、|/。【】[\]()（）-]/;
const atEnd = /[\s,，;；:：、|/。【】[\](（-]/;
const surnames =
  "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩邓冯曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭陆范汪廖石金韦贾夏付傅方邹熊白孟秦邱侯江尹薛闫阎段雷龙黎史陶贺毛郝顾龚邵万覃武钱戴严莫孔向常汤康易乔赖文施洪温季倪俞章鲁葛伍申尤毕聂柴焦翁柳邢岳齐梅庄辛管祝左涂谷祁耿牟卜路詹关苗凌费纪靳盛童欧甄项曲成游阳裴席卫查屈鲍位覃霍翟隋植甘景薄单包司柏宁柯阮桂闵解强丛华车冉房边";
const isAddress =
  /\d|[省市区县镇乡村路街道巷弄号楼室栋幢座层苑园厦坊屯州旗盟]|(?:^|\s)(?:no|room|rm|road|rd|street|st|district|city|building)\b/i;

/** Converts full-width digits and signs to half width. */
function toHalfWidth(text: string): string {
  return text.replace(/[０-９＋－（）]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0));
}

/** Trims separators from both ends, in linear time: a regular expression anchored at the end retries every run of blanks. */
function trim(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && atStart.test(text.charAt(start))) start += 1;
  while (end > start && atEnd.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
const join = (...parts: string[]) => parts.map(trim).filter(Boolean).join(" ");

function isName(text: string): boolean {
  if (text.length < 2 || text.length > 25) return false;
  if (/^\p{Script=Han}/u.test(text))
    return /^[\p{Script=Han}·・]{2,8}$/u.test(text) && (!isAddress.test(text) || isPerson(text));
  return /^[\p{L}][\p{L}\p{M}'. -]*$/u.test(text) && !isAddress.test(text);
}

/** Returns whether a short text is a Chinese name: 路遥 is one although 路 means road. */
function isPerson(text: string): boolean {
  return text.length <= 3 && surnames.includes(text.charAt(0)) && !/[省市区县镇乡村路街号楼室]$/.test(text);
}

/** Matches a name at the end of an address, without a separator. */
const nameAtEnd = new RegExp(`(?<=[号室楼层栋座户\\d])([${surnames}]\\p{Script=Han}{1,2})$`, "u");

interface SplitName {
  name: string;
  rest: string;
}

/** Splits the name from the text before and after the number: a whole side, else the first or last piece of a side, else the end of the address. */
function splitName(before: string, after: string): SplitName {
  const [head, tail] = [trim(before), trim(after)];
  // Latin names contain spaces: try the whole side first.
  for (const [text, other] of [
    [head, tail],
    [tail, head],
  ] as const) {
    if (isName(text)) return { name: text, rest: other };
  }
  for (const [text, other, isFirst] of [
    [head, tail, true],
    [tail, head, false],
  ] as const) {
    const marked = text.split(/[,，;；\n\t|]/);
    const pieces = marked.length > 1 ? marked : text.split(separators);
    for (const index of [0, pieces.length - 1]) {
      const name = trim(pieces[index] ?? "");
      if (pieces.length < 2 || !isName(name)) continue;
      const rest = join(...pieces.filter((_, other) => other !== index));
      return { name, rest: isFirst ? join(rest, other) : join(other, rest) };
    }
  }
  const end = nameAtEnd.exec(head)?.[1] ?? "";
  if (end) return { name: end, rest: join(head.slice(0, -end.length), tail) };
  return { name: "", rest: join(head, tail) };
}

/** Characters; longer than any address with its labels. */
const maxLength = 1000;

/** Parses text copied from chats and other shops: name, mobile number and address in any order, with or without labels. A text over 1,000 characters becomes the address unchanged. */
export function parseAddress(pasted: string): PastedAddress {
  if (pasted.length > maxLength) return { name: "", mobile: "", address: pasted };
  const text = toHalfWidth(pasted);
  const parsed: PastedAddress = { name: "", mobile: "", address: "" };
  const marks = [...text.matchAll(label)];
  const loose = [text.slice(0, marks[0]?.index ?? text.length)];
  marks.forEach((mark, index) => {
    const kind = kinds[mark.slice(1).findIndex(Boolean)] ?? "address";
    const value = text.slice(mark.index + mark[0].length, marks[index + 1]?.index ?? text.length);
    if (kind === "name" && !parsed.name) {
      const [first = "", ...rest] = trim(value).split(/[\n,，;；]|(?<=\p{Script=Han})\s+|(?<!\s)\s+(?=\p{Script=Han}|\+?\d)/u);
      if (isName(first) || rest.length === 0) {
        parsed.name = first;
        loose.push(rest.join(" "));
      } else loose.push(value);
    } else if (kind === "address") parsed.address = join(parsed.address, value);
    else loose.push(value);
  });
  const all = loose.join("\n");
  const number = mobile.exec(all);
  const inAddress = number ? null : mobile.exec(parsed.address);
  const match = number ?? inAddress;
  parsed.mobile = match?.[1]?.replace(/\D/g, "") ?? "";
  if (inAddress) {
    const [whole] = inAddress;
    const { index } = inAddress;
    const split = parsed.name
      ? { name: parsed.name, rest: join(parsed.address.slice(0, index), parsed.address.slice(index + whole.length)) }
      : splitName(parsed.address.slice(0, index), parsed.address.slice(index + whole.length));
    return { ...parsed, name: split.name, address: join(all, split.rest) };
  }
  const at = number?.index ?? all.length;
  const [before, after] = [all.slice(0, at), all.slice(at + (number?.[0].length ?? 0))];
  if (parsed.name) return { ...parsed, address: join(before, after, parsed.address) };
  const { name, rest } = splitName(before, after);
  return { ...parsed, name, address: join(rest, parsed.address) };
}
