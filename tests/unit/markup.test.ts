import { describe, expect, it } from "vitest";
import { finishHtml } from "#src/content/finish-html.ts";
import { parseMarkup } from "#src/content/markup.ts";

/** Seven lines before the text. */
const frontMatter = "---\ntitle: One\ntag: release\nby: A\nsummary: B\npublished_at: 2027-01-01\n---\n";

describe("the faults of parseMarkup", () => {
  const findLines = (body: string) => {
    return parseMarkup(frontMatter + body, "zh-CN").faults.map(({ line, message }) => `${line}: ${message}`);
  };

  it.each([
    "A `<script>alert(1)</script>` in a sentence, and <https://example.com>.",
    "```html\n<iframe onload=x></iframe>\n```",
    "    <script>indented code</script>",
    "1 < 2, a<b, and x <- y.",
    '<figure><img src="/a.png" alt="on air"><figcaption title="on=1">on=1</figcaption></figure>',
    "<ruby>夜航<rt>yè háng</rt></ruby>, H<sub>2</sub>O, <kbd>Esc</kbd><br>and <del datetime='2027-01-01'>all</del> <mark>that</mark>",
    "<details open><summary>Set list</summary>\n\n1. One\n2. Two\n\n</details>",
    '<audio src="/a.mp3" controls></audio> <video src="/v.mp4" poster="/v.jpg" controls playsinline></video>',
    "| a | b |\n| ---: | :- |\n| 1 | 2 |\n\n- [ ] to do\n- [x] done\n\nA note.[^1]\n\n```js\nlet a;\n```\n\n[^1]: The note.",
    "---\n\n* * *\n\n- - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - -",
    "<!-- <script>nobody reads this</script> -->",
    "[one](/news/one) [two](https://example.com/?q=javascript:x) [three](mailto:a@example.com) ![p](data:image/png;base64,AA)",
    "A sentence about javascript: it is a language.",
    "\\<script>",
  ])("reports nothing in %j", (body) => {
    expect(findLines(body)).toEqual([]);
  });

  it.each<[string, RegExp]>([
    ["One.\n\n<script>\nalert(1)\n</script>", /^10: <script> has no place/],
    ['One <SCRIPT src="https://evil.example/x.js"></SCRIPT>', /^8: <script>/],
    ["<div>\n<p>\n<iframe src=x></iframe></p></div>", /^10: <iframe>/],
    ["- one\n- two <object data=x></object>", /^9: <object>/],
    ["> <embed src=x>", /^8: <embed>/],
    ["<base href=//evil.example>", /^8: <base>/],
    ["<meta http-equiv=refresh content=0>", /^8: <meta>/],
    ["<style>*{}</style>", /^8: <style>/],
    ["<link rel=stylesheet href=x>", /^8: <link>/],
    ["<iframe src=/user/info></iframe>", /^8: <iframe>/],
    ["One <iframe src='https://evil.example'></iframe>", /^8: <iframe>/],
    ['A <b title="a > b" onclick="x()">word</b>', /^8: onclick of <b>/],
    ["<svg onload=alert(1)>", /^8: <svg>/],
    ["<img src=x\n  OnError=alert(1)>", /^8: onerror of <img>/],
    ["<p style='color:red'>x</p>", /^8: style of <p>/],
    ['<div title="\n\nx" onclick=alert(1) y', /^8: onclick of <div>/],
    ["<div title='\n\nx", /^8: a tag does not end/],
    ["[x](javascript:alert(1))", /^8: an address that begins with javascript:/],
    ["[x](JAVA&#115;CRIPT:alert(1))", /^8: an address/],
    ["[x][y]\n\n[y]: javascript:alert(1)", /^10: an address/],
    ["<javascript:alert(1)>", /^8: an address/],
    ["![x](javascript:alert(1))", /^8: an address/],
    ['<a href="java&#10;script&colon;alert(1)">x</a>', /^8: an address/],
    ["<svg><a xlink:href=' vbscript:x'>x</a></svg>", /^8: <svg>.*\n8: an address that begins with vbscript:/],
    ['<a href="data:text/html,x">x</a>', /^8: an address that begins with data:/],
    ["# One\n\nTwo.[^1]\n\n[^1]: Three <script>x</script>", /^12: <script>/],
    // A comment ends where browsers end it.
    ["One.\n\n<!--><script>x</script>-->", /^10: <script>/],
    ["<!---><script>x</script>-->", /^8: <script>/],
    ["<!-- a --!><script>x</script>-->", /^8: <script>/],
    ["<!-- a\n\nText that nobody reads", /^8: a comment does not end/],
    ['<noscript><p title="</noscript><script>x</script>">', /^8: <noscript>.*\n8: <script>/],
    ...["xmp", "textarea", "title", "noembed", "noframes"].map((name): [string, RegExp] => [
      `<${name}><p title="</${name}><img src=a onerror=x>">`,
      /8: onerror of <img>/,
    ]),
    ["<plaintext>", /^8: <plaintext>/],
    ["<astro-island component-url='/x.js'></astro-island>", /^8: <astro-island>/],
    ['<svg><animate attributeName=href values="#;javascript:x"></svg>', /^8: <svg>.*\n8: <animate>/],
    ["<math><mtext><table><mglyph><style>", /^8: <math>(.*\n){3}8: <style>/],
    ["<a name=TOKEN href='/news'>x</a>", /^8: name of <a>/],
    ["A line.\n\n<p id=main>x</p>", /^10: id of <p>/],
    ["<button formaction='https://evil.example'>x</button>", /^8: <button>/],
    ["<input name=x>", /^8: <input>/],
    ["<input type=image src='/a' formaction=x>", /^8: <input>/],
    ["<p class=fixed>x</p>", /^8: class of <p>/],
    ["<p data-token=x>x</p>", /^8: data-token of <p>/],
    ['<td style="position:fixed">x', /^$/],
    ['<table><tr><td style="text-align: right">x</table>', /^8: style of <td>/],
    ["<a ping='https://evil.example' href='/news'>x</a>", /^8: ping of <a>/],
    ["<a href='&#1;javascript:x'>x</a>", /^8: an address/],
    ["<audio src='/a.mp3' autoplay></audio>", /^8: autoplay of <audio>/],
    ["<Night Ferry> leaves at eight", /^8: <night>/],
    ["> One.\n>\n> <div\n> onclick=x>a</div>", /^10: onclick of <div>/],
  ])("reports the line of active markup in %j", (body, message) => {
    expect(findLines(body).join("\n")).toMatch(message);
  });

  it.each([
    ["a text longer than any article", "a".repeat(100_001), /^1: the text has 100\d\d\d characters/],
    ["a quotation within 20,000 others", `Text.\n\n${">".repeat(20_000)}a`, /^10: lists and quotations are nested 20000 deep/],
    ["a list within 200 others", `${"1. ".repeat(200)}x`, /^8: lists and quotations are nested 200 deep/],
    [
      "a table of 1,000 columns and 3,000 rows",
      `${"|a".repeat(1_000)}|\n${"|-".repeat(1_000)}|\n${"|b|\n".repeat(3_000)}`,
      /^8: a table has 50 columns/,
    ],
    ["an element within 200 others", "<div>\n\n".repeat(200), /^206: elements are nested more than 100 deep/],
    [
      "bold text within 12,000 others",
      `${"**a ".repeat(12_000)}${"b** ".repeat(12_000)}`,
      /^8: a paragraph has 500 signs of bold and italic text/,
    ],
    ["bold text within 120 others", `${"**a ".repeat(120)}${"b** ".repeat(120)}`, /^8: elements are nested more than 100 deep/],
    ["11,000 addresses", "www.a.cn ".repeat(11_000), /^$/],
    ["100,000 points after an address", `www.a${".".repeat(99_000)}a`, /^$/],
    ["19,000 tags without an end, which are text", "<img ".repeat(19_000), /^$/],
    ["14,000 attributes without an end, which are text", "<a href".repeat(14_000), /^$/],
    ["30,000 elements", "`a`\n\n".repeat(15_000), /the text has more than 20000 elements/],
  ])("reports the faults of %s within seconds", (_, body, message) => {
    expect(findLines(body).join("\n")).toMatch(message);
  });
});

describe("the HTML of a text", () => {
  const origin = "https://shop.example";

  it.each([
    ['<p><a href="https://shop.example/news?a=1&amp;b">x</a></p>', '<p><a href="/news?a=1&amp;b">x</a></p>'],
    ["<p>a<!-- b -->c</p><!-- d -->", "<p>ac</p>"],
    ["<h2>从下午三点排到晚上八点的队伍</h2>", "<h2>从下午<wbr>三点排到<wbr>晚上<wbr>八点的队伍</h2>"],
    [
      "<p>The queue at the door was &lt; 90 people long &amp; patient.</p>",
      '<p>The queue at the door was &lt; 90 people long <span data-end="">&amp; patient.</span></p>',
    ],
    // Attributes are no text, whatever they look like.
    [
      '<p><b title=">The queue was long and everybody waited</p><img src=x onerror=alert(1)>">x</b></p>',
      '<p><b title="&gt;The queue was long and everybody waited&lt;/p&gt;&lt;img src=x onerror=alert(1)&gt;">x</b></p>',
    ],
    ["</div></main><p>x", "<p>x</p>"],
    [
      "<table><tbody><tr><td>1</td></tr></tbody></table>",
      '<div role="region" tabindex="0" aria-label="Table"><table><tbody><tr><td>1</td></tr></tbody></table></div>',
    ],
    ["<pre>a  b</pre>", '<pre role="region" tabindex="0" aria-label="Preformatted text">a  b</pre>'],
  ])("of %j is %j", async (html, finished) => {
    expect(await finishHtml(html, origin, "en-US")).toBe(finished);
  });

  it.each(["<script>x</script>", "<!--><script>x</script>", "<p onclick=x>", "<p style=color:red>", "<svg></svg>"])(
    "is refused with %j, whatever has checked it before",
    async (html) => {
      await expect(finishHtml(html, origin, "en-US")).rejects.toThrow("has no place in a text");
    },
  );
});
