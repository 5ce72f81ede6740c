import { lazy, Suspense, useEffect, useState } from "react";
import { fill } from "#i18n/catalogue.ts";
import { getLocale, type Prefix } from "#i18n/locale.ts";
import type { PublicStates } from "#i18n/state.ts";
import { toProblem } from "#src/api/problem.ts";
import { fillDay, isAhead } from "#src/lib/ahead.ts";
import { formatYuan } from "#src/lib/format.ts";
import { getTransitionName, toInitial } from "#src/lib/picture.ts";
import { useStore } from "#src/lib/use-store.ts";
import { link, param } from "#src/routes.ts";
import { ButtonLink } from "#src/ui/Button.tsx";
import { Failed } from "#src/ui/Failed.tsx";
import { island } from "#src/ui/Island.tsx";
import { type Item as ItemData, itemStore } from "../store.ts";
import { Gallery } from "./Gallery.tsx";
import { ItemBuy } from "./ItemBuy.tsx";
import { SkuChoice } from "./SkuChoice.tsx";
import { type ItemTexts, parseSelection, resolveSelection, type Selection, selectValue, toStockStatus } from "./selection.ts";

/** What hardly any item is: unknown. */
const Empty = lazy(async () => ({ default: (await import("#src/ui/Empty.tsx")).Empty }));

/** Reserves the space of an item until it has loaded. */
function ItemSkeleton({ title, loading }: { title: string; loading: string }) {
  return (
    <div className="grid grid-cols-12 gap-x-gap" aria-busy="true">
      <h1 className="sr-only">{title}</h1>
      <p className="sr-only" role="status">
        {loading}
      </p>
      <div className="relative -mx-gutter lg:col-start-1 lg:col-span-7 lg:m-0">
        <div className="skeleton aspect-square lg:col-span-full lg:w-full" />
      </div>
      <div className="pt-6 pb-section grid gap-5 content-start lg:col-start-9 lg:-col-end-1 lg:sticky lg:top-[calc(var(--header)_+_1.5rem)] lg:self-start lg:pt-0 lg:pb-6">
        {["h-6 w-16", "h-12 w-4/5", "h-16 w-1/3", "h-11 w-4/5", "h-14"].map((size) => (
          <div key={size} className={`skeleton ${size}`} />
        ))}
      </div>
    </div>
  );
}

interface ItemFactsProps {
  goods: ItemData["info"];
  postage: ItemData["postage"];
  t: ItemTexts;
}

/** Shows the description, postage and sales of an item. */
function ItemFacts({ goods, postage, t }: ItemFactsProps) {
  const { fen, free_from_fen } = postage;
  const facts = [
    [t.postage, fen === 0 ? t.postageFree : fill(t.postageRule, { fen: formatYuan(fen), free: formatYuan(free_from_fen) })],
  ];
  if (goods.sold) facts.push([t.soldFact, fill(t.pieces, { n: goods.sold })]);
  return (
    <section className="grid gap-3 mt-6 max-w-136 whitespace-pre-line wrap-anywhere" aria-labelledby="facts">
      <h2 className="sr-only" id="facts">
        {t.facts}
      </h2>
      {/* A paragraph of lines with a dot is a list, and the one before it its heading. */}
      {goods.detail.map((text) =>
        text[0] === "·" ? (
          <ul className="pl-5 list-disc" key={text}>
            {text
              .slice(2)
              .split("\n· ")
              .map((line) => (
                <li key={line}>{line}</li>
              ))}
          </ul>
        ) : (
          <p className="has-[+ul]:font-bold" key={text}>
            {text}
          </p>
        ),
      )}
      <dl className="mt-3 border-t border-line">
        {facts.map(([name, value]) => (
          <div className="grid grid-cols-[7rem_1fr] items-baseline gap-4 py-3 border-b border-line" key={name}>
            <dt className="text-ink-3 text-sm">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

interface ItemProps {
  prefix: Prefix;
  t: ItemTexts;
  states: PublicStates;
  /** The page's title until the item has loaded. */
  title: string;
  /** The item as it was at build. */
  initial?: ItemData | undefined;
  /** AVIF files of its first picture. */
  avif?: string | undefined;
}

const emptySelection: Selection = { choice: null, quantity: 1 };

function ItemIsland({ prefix, t, states, title, initial, avif }: ItemProps) {
  const [store] = useState(() =>
    itemStore(
      () => param(location.pathname, "uid"),
      (error) => toProblem(error, states),
      initial,
    ),
  );
  const { last, resource } = useStore(store.$item);
  const [selection, setSelection] = useState<Selection | null>(null);
  const [moveText, setMoveText] = useState("");
  useEffect(() => {
    if (!last) return;
    setSelection((current) => current ?? parseSelection(location.search, last.info));
    if (!initial) document.title = document.title.replace(title, last.info.title);
  }, [last, initial, title]);

  const problem = resource.state === "failed" ? resource.problem : null;
  if (!last) {
    if (problem?.kind === "unknown") {
      return (
        <div className="gone">
          <h1 className="sr-only">{title}</h1>
          <Suspense>
            <Empty title={t.unknown} body={t.unknownBody}>
              <ButtonLink sign size="lg" href={link(prefix, "mall")}>
                {t.toMall}
              </ButtonLink>
            </Empty>
          </Suspense>
        </div>
      );
    }
    if (!problem) return <ItemSkeleton title={title} loading={states.loading} />;
    const message = problem.kind === "failed" ? problem.message : "";
    return (
      <>
        <h1 className="sr-only">{title}</h1>
        <Failed title={states.failedTitle} message={message} retry={states.retry} onRetry={store.load}>
          <ButtonLink size="sm" href={link(prefix, "mall")}>
            {states.mall}
          </ButtonLink>
        </Failed>
      </>
    );
  }

  const { info, postage } = last;
  const goods = problem?.kind === "unknown" ? { ...info, on_sale: false } : info;
  const current = resolveSelection(goods, selection ?? emptySelection);
  const select = (next: Selection) => {
    setSelection(next);
    const { sku, quantity } = resolveSelection(goods, next);
    const query = new URLSearchParams(location.search);
    if (sku) query.set("sku", sku.sku_uid);
    query.set("quantity", String(quantity));
    history.replaceState(history.state, "", `?${query}`);
  };
  const onChoose = (index: number, value: string) => {
    const { choice, changedValue } = selectValue(goods, current.choice, index, value);
    setMoveText(changedValue ? fill(t.moved, { value: changedValue.value, was: changedValue.from, now: changedValue.to }) : "");
    select({ choice, quantity: current.quantity });
  };

  return (
    <div className="grid grid-cols-12 gap-x-gap">
      <Gallery
        pictures={goods.images}
        initial={toInitial(goods.title)}
        transitionName={getTransitionName(goods.goods_uid)}
        avif={avif}
        t={t}
      />
      <div className="min-w-0 pt-6 pb-section lg:col-start-9 lg:-col-end-1 lg:sticky lg:top-[calc(var(--header)_+_1.5rem)] lg:self-start lg:pt-0 lg:pb-6">
        <p className="text-sm font-semibold text-ink-2 wrap-anywhere">{goods.category}</p>
        <h1 className="mt-3 text-[length:clamp(2rem,3.6vw,3rem)] wrap-anywhere" translate="no">
          {goods.title}
        </h1>
        <p className="mt-2 text-ink-2 break-keep wrap-anywhere">{goods.summary}</p>
        {goods.ships_at && (
          // It may be past once the built page is read: `PreOrders` hides it before React loads.
          <p
            className="mt-2 font-semibold"
            data-ships={goods.ships_at}
            hidden={!isAhead(goods.ships_at)}
            suppressHydrationWarning
          >
            {fillDay(t.shipsFrom, goods.ships_at, getLocale(prefix))}
          </p>
        )}
        <ItemBuy
          prefix={prefix}
          t={t}
          goods={goods}
          current={current}
          status={toStockStatus(current, moveText, t)}
          // Orders of the member count: the built page has the limit of everybody.
          limitText={goods.limit_per_member === initial?.info.limit_per_member ? t.limit : t.limitLeft}
          stale={problem?.kind === "failed" ? { message: problem.message, retry: states.retry, onRetry: store.load } : null}
          onQuantity={(quantity) => {
            setMoveText("");
            select({ choice: current.choice, quantity });
          }}
        >
          <SkuChoice goods={goods} choice={current.choice} onChoose={onChoose} t={t} />
        </ItemBuy>
        <ItemFacts goods={goods} postage={postage} t={t} />
      </div>
    </div>
  );
}

/** Shows one item, first as it was at build, then as it is now, and leads to its checkout. */
export const Item = island(ItemIsland);
