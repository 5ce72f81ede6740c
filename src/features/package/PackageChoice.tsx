import type { package as texts } from "../../../i18n/package.ts";
import { formatYuan } from "../../lib/format.ts";
import { link } from "../../routes.ts";
import { plateLevels, plates } from "./level.ts";
import { getBlocker } from "./purchase-effect.ts";
import type { PackageData } from "./store.ts";

interface PassChoiceProps {
  passes: readonly PackageData[];
  chosen: string;
  /** The pass that the member holds. */
  held: string | undefined;
  onChoose: (uid: string) => void;
  t: Pick<(typeof texts)["zh-CN"], "pick" | "mine" | "soldOut" | "offSale">;
}

/** One of the passes, by native radios: as HTML, a form sends a visitor by login to the pass that is chosen. */
export function PackageChoice({ passes, chosen, held, onChoose, t }: PassChoiceProps) {
  return (
    <fieldset className="vsel">
      <legend className="vh">{t.pick}</legend>
      {passes.map((pass) => {
        const { uid, level, title, summary, pay_fen, price_fen, badge } = pass.info;
        const bar = getBlocker(pass);
        const tag = bar ? t[bar] : held === uid ? t.mine : badge;
        return (
          <label key={uid} className={bar ? "out" : undefined}>
            <input
              type="radio"
              name="redirect"
              value={link("", "vip", { uid })}
              checked={uid === chosen}
              onChange={() => onChoose(uid)}
            />
            <span className={`plate ${plateLevels[level]}`} aria-hidden="true">
              {plates[level]}
            </span>
            <span>
              <b>
                {title} {tag && <span className="tag tag-line">{tag}</span>}
              </b>
              <small>{summary}</small>
            </span>
            <span className="num">
              {price_fen > pay_fen && <s>{formatYuan(price_fen)}</s>}
              <span>{formatYuan(pay_fen)}</span>
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}
