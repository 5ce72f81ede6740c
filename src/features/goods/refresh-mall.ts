import { onMount } from "nanostores";
import type { state } from "#i18n/state.ts";
import { send } from "#src/api/client.ts";
import { type Goods, goodsLists } from "#src/api/goods.ts";
import { levelLetters, type MemberPackage, packageLists } from "#src/api/package.ts";
import { toProblem } from "#src/api/problem.ts";
import { fillFields, fillTemplate } from "#src/lib/fill-template.ts";
import { formatYuan } from "#src/lib/format.ts";
import { onReturn } from "#src/lib/page-lifecycle.ts";
import { getTransitionName, toSrcset } from "#src/lib/picture.ts";
import { resource } from "#src/lib/resource.ts";
import { toTint } from "#src/lib/tint.ts";
import { getHere, link } from "#src/routes.ts";
import { type CardTexts, soldOutLast, toCard, toSlug } from "./card.ts";

/** Holds all items and packages on sale; loads them again on return to the page. */
export function mallStore<Problem>(toProblem: (error: unknown) => Problem) {
  const store = resource(async () => {
    const [goods, packages] = await Promise.all([send(goodsLists), send(packageLists)]);
    return { goods: goods.list, packages: packages.list };
  }, toProblem);
  onMount(store.$state, () => onReturn(store.load));
  return store;
}

/** Number of cards before the packages. */
const cardsBeforePackages = 5;

/**
 * Creates a function that sorts cards without moving anything in view: at once when the first one that moves is below the viewport, else when the page
 * is hidden. The packages keep their position among them.
 */
function createCardSorter(grid: HTMLElement, onArranged: () => void): (cards: readonly HTMLElement[]) => void {
  let pendingCards: readonly HTMLElement[] | null = null;

  function arrange(): void {
    if (!pendingCards) return;
    const removed = [...grid.querySelectorAll<HTMLElement>("[data-goods]")].filter((card) => !pendingCards?.includes(card));
    for (const card of removed) card.remove();
    const first = pendingCards.slice(0, cardsBeforePackages);
    grid.prepend(...first);
    (document.getElementById("passes") ?? first.at(-1))?.after(...pendingCards.slice(cardsBeforePackages));
    pendingCards = null;
    onArranged();
  }
  document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && arrange());

  return (cards) => {
    const currentCards = [...grid.querySelectorAll<HTMLElement>("[data-goods]")];
    const firstMovedCard = currentCards.find((card, index) => card !== cards[index]);
    pendingCards = firstMovedCard || currentCards.length !== cards.length ? cards : null;
    const edgeCard = firstMovedCard ?? currentCards.at(-1);
    const edge = firstMovedCard ? firstMovedCard.getBoundingClientRect().top : (edgeCard?.getBoundingClientRect().bottom ?? 0);
    // An empty grid has nothing that could move.
    if (!edgeCard || cards.length === 0 || edge >= innerHeight || document.visibilityState === "hidden") arrange();
  };
}

type Texts = (typeof state)["zh-CN"] & CardTexts & { offSale: string };

/** Keeps prices, stock and the list of products up to date. After a failure the page stays as it was built. */
export function refreshMall(): void {
  const mall = document.querySelector<HTMLElement>(".mall-grid");
  const grid = document.getElementById("mall-list");
  if (!mall || !grid) return;
  const t: Texts = JSON.parse(mall.dataset.texts ?? "{}");
  const here = getHere(location);
  const cards = () =>
    new Map(Array.from(grid.querySelectorAll<HTMLElement>("[data-goods]"), (card) => [card.dataset.goods ?? "", card]));

  /** Returns the slug of a category. A category that is new since the build gets a tab with its name in this language. */
  function getKind(category: string): string {
    const tabs = [...document.querySelectorAll<HTMLAnchorElement>("#kinds > [data-kind]")];
    const existing = tabs.find(({ dataset }) => dataset.label === category);
    if (existing) return existing.dataset.kind ?? "";
    const tab = tabs[0]?.cloneNode(true);
    const kind = toSlug(category);
    if (!(tab instanceof HTMLAnchorElement)) return kind;
    Object.assign(tab.dataset, { kind, label: category });
    tab.href = link(here.prefix, "mall", {}, { category: kind });
    fillFields(tab, { label: category });
    tabs.at(-1)?.before(tab);
    return kind;
  }

  function createCard({ goods_uid, title, summary, images: [cover] }: Goods): HTMLElement | null {
    const card = fillTemplate("blank", link(here.prefix, "item", { uid: goods_uid }), { title, summary });
    if (!card) return null;
    card.dataset.goods = goods_uid;
    const picture = card.querySelector("img");
    if (picture && cover) {
      const { url, width, height } = cover;
      const srcset = toSrcset(url) ?? "";
      Object.assign(picture, { srcset, src: url, width, height });
      const tint = srcset && toTint(url);
      if (tint) picture.classList.add(tint);
      picture.dataset.transition = getTransitionName(goods_uid);
    } else picture?.remove();
    return card;
  }

  function updateCard(card: HTMLElement, goods: Goods): void {
    const { stock, ships: _, ...fields } = toCard(goods, t);
    card.dataset.category = getKind(goods.category);
    if (stock) card.dataset.stock = stock;
    else delete card.dataset.stock;
    // Hidden as that of a pre-order which is over.
    card.querySelector("[data-ships]")?.removeAttribute("hidden");
    fillFields(card, fields);
  }

  function showGoods(list: readonly Goods[]): void {
    const oldCards = cards();
    const sorted = soldOutLast(list).flatMap((goods) => {
      const card = oldCards.get(goods.goods_uid) ?? createCard(goods);
      oldCards.delete(goods.goods_uid);
      if (card) updateCard(card, goods);
      return card ? [card] : [];
    });
    for (const card of oldCards.values()) fillFields(card, { tag: t.offSale });
    sortCards(sorted);
    for (const tab of document.querySelectorAll<HTMLElement>("#kinds > [data-kind]")) {
      const { kind } = tab.dataset;
      const count = sorted.filter(({ dataset }) => dataset.category === kind).length;
      if (kind !== "passes") fillFields(tab, { count: count ? String(count) : "" });
    }
    const rest = document.getElementById("rest");
    if (rest) fillFields(rest, { total: String(list.length) });
  }

  function showPackages(list: readonly MemberPackage[]): void {
    const rows = document.querySelector("#passes [data-rows]");
    for (const { uid, level, title, pay_fen } of list) {
      const fields = { letter: levelLetters[level], title, price: formatYuan(pay_fen) };
      const row = rows?.querySelector(`[data-pass="${CSS.escape(uid)}"]`);
      if (row) fillFields(row, { price: fields.price });
      else {
        const added = fillTemplate("pass-row", link(here.prefix, "vip", { uid }), fields);
        if (!added) continue;
        added.dataset.pass = uid;
        rows?.append(added);
      }
    }
    const uids = new Set(list.map(({ uid }) => uid));
    for (const row of rows?.querySelectorAll<HTMLElement>("[data-pass]") ?? []) row.hidden = !uids.has(row.dataset.pass ?? "");
    const tab = document.querySelector<HTMLElement>('#kinds > [data-kind="passes"]');
    if (!tab) return;
    fillFields(tab, { count: list.length ? String(list.length) : "" });
    tab.hidden = list.length === 0;
  }

  const notifyChanged = () => void dispatchEvent(new Event("mall:changed"));
  const sortCards = createCardSorter(grid, notifyChanged);
  const store = mallStore((error) => toProblem(error, t));
  const [failed, stale] = [document.getElementById("failed"), document.getElementById("stale")];
  for (const button of mall.querySelectorAll("[data-retry]")) button.addEventListener("click", () => void store.load());
  store.$state.subscribe((current) => {
    const isEmpty = cards().size === 0;
    const message = current.state === "failed" && current.problem.kind === "failed" ? current.problem.message : "";
    failed?.toggleAttribute("hidden", current.state !== "failed" || !isEmpty);
    stale?.toggleAttribute("hidden", current.state !== "failed" || isEmpty);
    for (const box of [failed, stale]) if (box) fillFields(box, { message });
    if (current.state === "ready") {
      showGoods(current.data.goods);
      showPackages(current.data.packages);
    }
    for (const box of grid.querySelectorAll(".sk-goods")) box.toggleAttribute("hidden", current.state !== "loading");
    grid.toggleAttribute("aria-busy", current.state === "loading" && isEmpty);
    if (grid.hasAttribute("aria-busy")) grid.ariaBusy = "true";
    notifyChanged();
  });
}
