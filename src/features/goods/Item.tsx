import { useEffect, useState } from "react";
import { fill } from "../../../i18n/catalogue.ts";
import type { goods as texts } from "../../../i18n/goods.ts";
import { getLocale, type Prefix } from "../../../i18n/locale.ts";
import type { state } from "../../../i18n/state.ts";
import { toProblem } from "../../api/problem.ts";
import { pictureUrl } from "../../lib/poster.ts";
import { useStore } from "../../lib/use-store.ts";
import { link, param } from "../../routes.ts";
import { ButtonLink } from "../../ui/Button.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { Failed } from "../../ui/Failed.tsx";
import { island } from "../../ui/Island.tsx";
import { getCover, getPoster } from "./card.ts";
import { Gallery } from "./Gallery.tsx";
import { ItemBuy } from "./ItemBuy.tsx";
import { ItemFacts } from "./ItemFacts.tsx";
import { ItemSkeleton } from "./ItemSkeleton.tsx";
import { SkuChoice } from "./SkuChoice.tsx";
import { parseSelection, press, type Selection, settle } from "./selection.ts";
import { stateLine } from "./stock-text.ts";
import { type Item as ItemData, itemStore } from "./store.ts";

interface ItemProps {
  prefix: Prefix;
  t: (typeof texts)["zh-CN"];
  states: (typeof state)["zh-CN"];
  /** What the page is called while nobody knows what it shows. */
  title: string;
  /** As the host said while the site was built. */
  known?: ItemData | undefined;
}

const untouched: Selection = { choice: null, quantity: 1 };

function ItemIsland({ prefix, t, states, title, known }: ItemProps) {
  const [store] = useState(() =>
    itemStore(
      () => param(location.pathname, "uid"),
      (caught) => toProblem(caught, states),
      known,
    ),
  );
  const { last, resource } = useStore(store.$item);
  const [wanted, setWanted] = useState<Selection | null>(null);
  const [moved, setMoved] = useState("");
  useEffect(() => {
    if (!last) return;
    setWanted((before) => before ?? parseSelection(location.search, last.info));
    if (!known) document.title = document.title.replace(title, last.info.title);
  }, [last, known, title]);

  const problem = resource.state === "failed" ? resource.problem : null;
  if (!last) {
    if (problem?.kind === "unknown") {
      return (
        <>
          <h1 className="vh">{title}</h1>
          <Empty title={t.unknown} body={t.unknownBody}>
            <ButtonLink sign size="lg" href={link(prefix, "mall")}>
              {t.toMall}
            </ButtonLink>
          </Empty>
        </>
      );
    }
    if (!problem) return <ItemSkeleton title={title} loading={states.loading} />;
    const message = problem.kind === "failed" ? problem.message : "";
    return (
      <>
        <h1 className="vh">{title}</h1>
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
  const current = settle(goods, wanted ?? untouched);
  const want = (next: Selection) => {
    setWanted(next);
    const { sku, quantity } = settle(goods, next);
    const query = new URLSearchParams(location.search);
    if (sku) query.set("sku", sku.sku_uid);
    query.set("quantity", String(quantity));
    history.replaceState(history.state, "", `?${query}`);
  };
  const onChoose = (place: number, value: string) => {
    const { choice, moved: other } = press(goods, current.choice, place, value);
    setMoved(other ? fill(t.moved, other) : "");
    want({ choice, quantity: current.quantity });
  };
  const locale = getLocale(prefix);
  const pictures = goods.images.length > 0 ? goods.images : [getCover(goods, locale)];

  return (
    <div className="g12 it">
      <Gallery
        pictures={pictures.map((one) => ({ ...one, url: pictureUrl(one.url, locale) }))}
        sheet={getPoster(goods.goods_uid)}
        t={t}
      />
      <div className="inf">
        <span className="tag tag-line">{goods.category}</span>
        <h1>{goods.title}</h1>
        <p className="mut">{goods.summary}</p>
        <ItemBuy
          prefix={prefix}
          t={t}
          goods={goods}
          current={current}
          line={stateLine(current, moved, t)}
          stale={problem?.kind === "failed" ? { why: problem.message, retry: states.retry, again: store.load } : null}
          onQuantity={(quantity) => {
            setMoved("");
            want({ choice: current.choice, quantity });
          }}
        >
          <SkuChoice goods={goods} choice={current.choice} onChoose={onChoose} t={t} />
        </ItemBuy>
        <ItemFacts goods={goods} postage={postage} t={t} />
      </div>
    </div>
  );
}

/** One good: what the build knew at once, then what the host says now; the variant and how many; on to the order. */
export const Item = island(ItemIsland);
