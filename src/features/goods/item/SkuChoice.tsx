import type { goods as texts } from "#i18n/goods.ts";
import type { Goods } from "#src/api/goods.ts";
import { specParam } from "#src/routes.ts";
import { type Choice, findSku, getUnavailableReason } from "./selection.ts";

interface SkuChoiceProps {
  goods: Goods;
  choice: Choice;
  onChoose: (index: number, value: string) => void;
  t: Pick<(typeof texts)["zh-CN"], "soldOut" | "notMade">;
}

/** Chooses one variant of an item by native radios; unavailable values are struck and give the reason. As plain HTML the form sends the variant or, with several specs, one value of each. */
export function SkuChoice({ goods, choice, onChoose, t }: SkuChoiceProps) {
  const isWhole = goods.specs.length === 1;
  return goods.specs.map(({ name, values }, index) => (
    <fieldset className="mt-7" key={name}>
      <legend className="mb-2.5 font-semibold text-sm wrap-anywhere">{name}</legend>
      <div className="choices flex flex-wrap gap-2">
        {values.map((value) => {
          const unavailableReason = getUnavailableReason(goods, choice, index, value);
          return (
            <label className="relative cursor-pointer" key={value}>
              <input
                className="absolute inset-0 opacity-0 cursor-[inherit]"
                type="radio"
                name={isWhole ? "sku" : specParam(index)}
                value={isWhole ? findSku(goods, [value])?.sku_uid : value}
                checked={choice[index] === value}
                disabled={unavailableReason !== null}
                onChange={() => onChoose(index, value)}
              />
              <span className="grid place-items-center px-4 py-1.5 rounded-control font-semibold text-sm min-h-12.5 wrap-anywhere">
                {unavailableReason ? (
                  <>
                    <s className="no-underline">{value}</s>
                    <small className="font-normal text-xs leading-[1.2]">{t[unavailableReason]}</small>
                  </>
                ) : (
                  value
                )}
              </span>
            </label>
          );
        })}
      </div>
    </fieldset>
  ));
}
