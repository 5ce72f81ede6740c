import type { state } from "../../../i18n/state.ts";
import type { Goods } from "../../api/goods.ts";
import type { MemberPackage } from "../../api/package.ts";
import { toProblem } from "../../api/problem.ts";
import { formatYuan } from "../../lib/format.ts";
import { getHere, link } from "../../routes.ts";
import { type CardTexts, getCover, getPoster, soldOutLast, toCard, toSlug } from "./card.ts";
import { mallStore } from "./mall-store.ts";
import { arrangeWhenUnseen } from "./reorder-cards.ts";

type Texts = (typeof state)["zh-CN"] & CardTexts & { offSale: string };

/** Sets text only where it differs: what has not changed is not drawn again. */
function say(within: Element, selector: string, text: string): void {
  const element = within.querySelector(selector);
  if (element && element.textContent !== text) element.textContent = text;
}

/** Keeps the mall as the host has it: prices, stock, what is new and what is gone. What the build wrote stays when that fails. */
export function followMall(): void {
  const mall = document.querySelector<HTMLElement>(".mall");
  const shelf = document.getElementById("shelf");
  if (!mall || !shelf) return;
  const t: Texts = JSON.parse(mall.dataset.texts ?? "{}");
  const here = getHere(location);
  const blank = document.querySelector<HTMLTemplateElement>("#blank");
  const cards = () =>
    new Map(Array.from(shelf.querySelectorAll<HTMLElement>("[data-good]"), (card) => [card.dataset.good ?? "", card]));

  /** How a kind stands in the URL. One that the build did not know gets a tab by its name in this language. */
  function kindOf(category: string): string {
    const tabs = [...document.querySelectorAll<HTMLAnchorElement>("#kinds > [data-kind]")];
    const known = tabs.find(({ dataset }) => dataset.label === category);
    if (known) return known.dataset.kind ?? "";
    const tab = tabs[0]?.cloneNode(true);
    const kind = toSlug(category);
    if (!(tab instanceof HTMLAnchorElement)) return kind;
    Object.assign(tab.dataset, { kind, label: category });
    tab.href = link(here.prefix, "mall", {}, { category: kind });
    tab.firstChild?.replaceWith(category);
    tabs.at(-1)?.before(tab);
    return kind;
  }

  function made(goods: Goods): HTMLElement | null {
    const card = blank?.content.firstElementChild?.cloneNode(true);
    if (!(card instanceof HTMLAnchorElement)) return null;
    const { url, width, height } = getCover(goods, here.locale);
    card.href = link(here.prefix, "item", { uid: goods.goods_uid });
    card.dataset.good = goods.goods_uid;
    const picture = card.querySelector("img");
    if (picture) Object.assign(picture, { src: url, width, height });
    if (picture) picture.dataset.sheet = getPoster(goods.goods_uid);
    say(card, "b", goods.title);
    say(card, "small", goods.summary);
    return card;
  }

  function write(card: HTMLElement, goods: Goods): void {
    const { price, from, was, tag, soldOut } = toCard(goods, t);
    card.dataset.category = kindOf(goods.category);
    card.classList.toggle("out", soldOut);
    say(card, ".now", price);
    say(card, "i", from[0]);
    say(card, ".after", from[1]);
    say(card, "s", was);
    mark(card, tag);
  }

  function mark(card: HTMLElement, text: string): void {
    say(card, ".tag", text);
    card.querySelector(".tag")?.toggleAttribute("hidden", text === "");
  }

  function showGoods(list: readonly Goods[]): void {
    const known = cards();
    const wanted = soldOutLast(list).flatMap((goods) => {
      const card = known.get(goods.goods_uid) ?? made(goods);
      known.delete(goods.goods_uid);
      if (card) write(card, goods);
      return card ? [card] : [];
    });
    for (const card of known.values()) mark(card, t.offSale);
    arrange(wanted);
    for (const tab of document.querySelectorAll<HTMLElement>("#kinds > [data-kind]")) {
      const { kind } = tab.dataset;
      const count = kind ? wanted.filter(({ dataset }) => dataset.category === kind).length : wanted.length;
      if (kind !== "passes") say(tab, "sup", count ? String(count) : "");
    }
    say(shelf ?? document.body, "#rest .num", String(list.length));
  }

  function showPasses(list: readonly MemberPackage[]): void {
    const rows = document.querySelector("#passes [data-rows]");
    const pattern = document.querySelector<HTMLTemplateElement>("#pass-row")?.content.firstElementChild;
    for (const { uid, level, title, pay_fen } of list) {
      let row = rows?.querySelector(`[data-pass="${CSS.escape(uid)}"]`);
      if (!row) {
        const copy = pattern?.cloneNode(true);
        if (!(copy instanceof HTMLAnchorElement)) continue;
        copy.href = link(here.prefix, "vip", { uid });
        copy.dataset.pass = uid;
        say(copy, ".plate", "ABC"[level - 1] ?? "");
        say(copy, "b", title);
        rows?.append(copy);
        row = copy;
      }
      say(row, ".num", formatYuan(pay_fen));
    }
    const uids = new Set(list.map(({ uid }) => uid));
    for (const row of rows?.querySelectorAll<HTMLElement>("[data-pass]") ?? []) row.hidden = !uids.has(row.dataset.pass ?? "");
    const tab = document.querySelector<HTMLElement>('#kinds > [data-kind="passes"]');
    if (!tab) return;
    say(tab, "sup", list.length ? String(list.length) : "");
    tab.hidden = list.length === 0;
  }

  const changed = () => void dispatchEvent(new Event("mall:changed"));
  const arrange = arrangeWhenUnseen(shelf, changed);
  const store = mallStore((caught) => toProblem(caught, t));
  const [failed, stale] = [document.getElementById("failed"), document.getElementById("stale")];
  for (const button of mall.querySelectorAll("[data-retry]")) button.addEventListener("click", () => void store.load());
  store.$state.subscribe((remote) => {
    const nothing = cards().size === 0;
    const why = remote.state === "failed" && remote.problem.kind === "failed" ? remote.problem.message : "";
    failed?.toggleAttribute("hidden", remote.state !== "failed" || !nothing);
    stale?.toggleAttribute("hidden", remote.state !== "failed" || nothing);
    for (const box of [failed, stale]) if (box) say(box, "[data-why]", why);
    if (remote.state === "ready") {
      showGoods(remote.data.goods);
      showPasses(remote.data.passes);
    }
    for (const box of shelf.querySelectorAll(".sk-good")) box.toggleAttribute("hidden", remote.state !== "loading");
    shelf.toggleAttribute("aria-busy", remote.state === "loading" && nothing);
    if (shelf.hasAttribute("aria-busy")) shelf.ariaBusy = "true";
    changed();
  });
}
