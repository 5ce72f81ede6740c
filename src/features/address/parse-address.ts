/** What a pasted "name phone address" holds. What is neither name nor mobile number is address: no letter or digit is lost but the labels. */
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
const between = /[\s,，;；、|/。【】[\]]+/;
const atStart = /[\s,，;；:：、|/。【】[\]()（）-]/;
const atEnd = /[\s,，;；:：、|/。【】[\](（-]/;
const surnames =
  "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩邓冯曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭陆范汪廖石金韦贾夏付傅方邹熊白孟秦邱侯江尹薛闫阎段雷龙黎史陶贺毛郝顾龚邵万覃武钱戴严莫孔向常汤康易乔赖文施洪温季倪俞章鲁葛伍申尤毕聂柴焦翁柳邢岳齐梅庄辛管祝左涂谷祁耿牟卜路詹关苗凌费纪靳盛童欧甄项曲成游阳裴席卫查屈鲍位覃霍翟隋植甘景薄单包司柏宁柯阮桂闵解强丛华车冉房边";
const isAddress =
  /\d|[省市区县镇乡村路街道巷弄号楼室栋幢座层苑园厦坊屯州旗盟]|(?:^|\s)(?:no|room|rm|road|rd|street|st|district|city|building)\b/i;

/** Full-width digits and signs as people's keyboards make them. */
function narrow(text: string): string {
  return text.replace(/[０-９＋－（）]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0));
}

/** Takes separators off both ends, sign by sign: an expression for the end alone would try every run of blanks from each of its places. */
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

/** 路遥 is a person although 路 is a road. */
function isPerson(text: string): boolean {
  return text.length <= 3 && surnames.includes(text.charAt(0)) && !/[省市区县镇乡村路街号楼室]$/.test(text);
}

/** A name at the end of an address, right before the number and without anything between. */
const nameAtEnd = new RegExp(`(?<=[号室楼层栋座户\\d])([${surnames}]\\p{Script=Han}{1,2})$`, "u");

interface Split {
  name: string;
  rest: string;
}

/** Takes the name from the text before or after the number: the piece next to it, else the first or the last. */
function nameFrom(before: string, after: string): Split {
  const [head, tail] = [trim(before), trim(after)];
  // Latin names have spaces: a whole piece between commas or lines.
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
    const pieces = marked.length > 1 ? marked : text.split(between);
    for (const place of [0, pieces.length - 1]) {
      const found = trim(pieces[place] ?? "");
      if (pieces.length < 2 || !isName(found)) continue;
      const rest = join(...pieces.filter((_, index) => index !== place));
      return { name: found, rest: isFirst ? join(rest, other) : join(other, rest) };
    }
  }
  const end = nameAtEnd.exec(head)?.[1] ?? "";
  if (end) return { name: end, rest: join(head.slice(0, -end.length), tail) };
  return { name: "", rest: join(head, tail) };
}

/** Longer than any address with its labels, in characters. */
const longest = 1000;

/** Takes apart what people copy from chats and other shops: name, mobile number and address in any order, with or without labels. A text over 1,000 characters is left whole, as the address. */
export function parseAddress(pasted: string): PastedAddress {
  if (pasted.length > longest) return { name: "", mobile: "", address: pasted };
  const text = narrow(pasted);
  const found: PastedAddress = { name: "", mobile: "", address: "" };
  const marks = [...text.matchAll(label)];
  const loose = [text.slice(0, marks[0]?.index ?? text.length)];
  marks.forEach((mark, place) => {
    const kind = kinds[mark.slice(1).findIndex(Boolean)] ?? "address";
    const value = text.slice(mark.index + mark[0].length, marks[place + 1]?.index ?? text.length);
    if (kind === "name" && !found.name) {
      const [first = "", ...rest] = trim(value).split(/[\n,，;；]|(?<=\p{Script=Han})\s+|(?<!\s)\s+(?=\p{Script=Han}|\+?\d)/u);
      if (isName(first) || rest.length === 0) {
        found.name = first;
        loose.push(rest.join(" "));
      } else loose.push(value);
    } else if (kind === "address") found.address = join(found.address, value);
    else loose.push(value);
  });
  const all = loose.join("\n");
  const number = mobile.exec(all);
  const inAddress = number ? null : mobile.exec(found.address);
  const taken = number ?? inAddress;
  found.mobile = taken?.[1]?.replace(/\D/g, "") ?? "";
  if (inAddress) {
    const [whole] = inAddress;
    const { index } = inAddress;
    const split = found.name
      ? { name: found.name, rest: join(found.address.slice(0, index), found.address.slice(index + whole.length)) }
      : nameFrom(found.address.slice(0, index), found.address.slice(index + whole.length));
    return { ...found, name: split.name, address: join(all, split.rest) };
  }
  const at = number?.index ?? all.length;
  const [before, after] = [all.slice(0, at), all.slice(at + (number?.[0].length ?? 0))];
  if (found.name) return { ...found, address: join(before, after, found.address) };
  const { name, rest } = nameFrom(before, after);
  return { ...found, name, address: join(rest, found.address) };
}
