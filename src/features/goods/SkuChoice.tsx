import type { goods as texts } from "../../../i18n/goods.ts";
import type { Goods } from "../../api/goods.ts";
import { barOf, type Choice } from "./sku.ts";

interface SkuChoiceProps {
  goods: Goods;
  choice: Choice;
  onChoose: (place: number, value: string) => void;
  t: Pick<(typeof texts)["zh-CN"], "soldOut" | "notMade">;
}

/** One variant of a good, by native radios. What cannot be had is struck, with the reason in words. */
export function SkuChoice({ goods, choice, onChoose, t }: SkuChoiceProps) {
  return goods.specs.map(({ name, values }, place) => (
    <fieldset key={name}>
      <legend className="field-l">{name}</legend>
      <div className="choices">
        {values.map((value) => {
          const bar = barOf(goods, choice, place, value);
          return (
            <label key={value}>
              <input
                type="radio"
                name={`spec-${place}`}
                value={value}
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
