import type { package as texts } from "../../../i18n/package.ts";
import { levelLetters } from "../../api/package.ts";
import { formatYuan } from "../../lib/format.ts";
import { link } from "../../routes.ts";
import { getUnavailableReason } from "./membership-change.ts";
import type { PackageData } from "./store.ts";

interface PackageChoiceProps {
  packages: readonly PackageData[];
  chosen: string;
  /** The package of the member's membership. */
  ownUid: string | undefined;
  onChoose: (uid: string) => void;
  t: Pick<(typeof texts)["zh-CN"], "pick" | "mine" | "soldOut" | "offSale">;
}

/** Chooses one package by native radios. As plain HTML the form leads a visitor through login to the chosen package. */
export function PackageChoice({ packages, chosen, ownUid, onChoose, t }: PackageChoiceProps) {
  return (
    <fieldset className="vsel">
      <legend className="sr-only">{t.pick}</legend>
      {packages.map((data) => {
        const { uid, level, title, summary, pay_fen, price_fen, badge } = data.info;
        const unavailableReason = getUnavailableReason(data);
        const tag = unavailableReason ? t[unavailableReason] : ownUid === uid ? t.mine : badge;
        return (
          <label key={uid} className={unavailableReason ? "out" : undefined}>
            <input
              type="radio"
              name="redirect"
              value={link("", "vip", { uid })}
              checked={uid === chosen}
              onChange={() => onChoose(uid)}
            />
            <span className="plate" data-level={level} aria-hidden="true">
              {levelLetters[level]}
            </span>
            <span>
              <b>
                {title} {tag && <span className="tag tag-line">{tag}</span>}
              </b>
              <small>{summary}</small>
            </span>
            <span className="numeral">
              {price_fen > pay_fen && <s>{formatYuan(price_fen)}</s>}
              <span>{formatYuan(pay_fen)}</span>
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}
