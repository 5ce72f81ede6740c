import type { goods as texts } from "../../../i18n/goods.ts";
import type { Goods } from "../../api/goods.ts";
import { specParam } from "../../routes.ts";
import { type Choice, findSku, getBlocker } from "./sku.ts";

interface SkuChoiceProps {
  goods: Goods;
  choice: Choice;
  onChoose: (place: number, value: string) => void;
  t: Pick<(typeof texts)["zh-CN"], "soldOut" | "notMade">;
}

/** One variant of a good, by native radios. What cannot be had is struck, with the reason in words. As HTML a form sends the variant, or, where it has several sides, one value of each. */
export function SkuChoice({ goods, choice, onChoose, t }: SkuChoiceProps) {
  const isWhole = goods.specs.length === 1;
  return goods.specs.map(({ name, values }, place) => (
    <fieldset key={name}>
      <legend className="field-l">{name}</legend>
      <div className="choices">
        {values.map((value) => {
          const bar = getBlocker(goods, choice, place, value);
          return (
            <label key={value}>
              <input
                type="radio"
                name={isWhole ? "sku" : specParam(place)}
                value={isWhole ? findSku(goods, [value])?.sku_uid : value}
                checked={choice[place] === value}
                disabled={bar !== null}
                onChange={() => onChoose(place, value)}
              />
              <span>
                {value}
                {bar && <small>{t[bar]}</small>}
              </span>
            </label>
          );
        })}
      </div>
    </fieldset>
  ));
}
