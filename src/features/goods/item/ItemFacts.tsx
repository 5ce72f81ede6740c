import { fill } from "../../../../i18n/catalogue.ts";
import type { goods as texts } from "../../../../i18n/goods.ts";
import { formatYuan } from "../../../lib/format.ts";
import type { Item } from "../store.ts";

interface ItemFactsProps {
  goods: Item["info"];
  postage: Item["postage"];
  t: (typeof texts)["zh-CN"];
}

/** Shows the description, postage and sales of an item. */
export function ItemFacts({ goods, postage, t }: ItemFactsProps) {
  const { fen, free_from_fen } = postage;
  const facts = [
    [t.postage, fen === 0 ? t.postageFree : fill(t.postageRule, { fen: formatYuan(fen), free: formatYuan(free_from_fen) })],
    [t.soldFact, fill(t.pieces, { n: goods.sold })],
  ];
  return (
    <section className="it-d" aria-labelledby="facts">
      <h2 className="vh" id="facts">
        {t.facts}
      </h2>
      {goods.detail.map((line) => (
        <p key={line}>{line}</p>
      ))}
      <dl className="spec">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
