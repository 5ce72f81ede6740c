import type { package as texts } from "#i18n/package.ts";
import { levelLetters } from "#src/api/package.ts";
import { formatYuan } from "#src/lib/format.ts";
import { link } from "#src/routes.ts";
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

/** The plate of a level, pale to bright. */
export const levelPlates: Record<number, string> = {
  1: "bg-[#e9edf1] text-black",
  2: "bg-[var(--lit-pale)] text-black",
  3: "bg-lit text-on-lit",
};

/** Chooses one package by native radios. As plain HTML the form leads a visitor through login to the chosen package. */
export function PackageChoice({ packages, chosen, ownUid, onChoose, t }: PackageChoiceProps) {
  return (
    <fieldset className="grid mt-7 border-t border-[var(--stage-line)]">
      <legend className="sr-only">{t.pick}</legend>
      {packages.map((data) => {
        const { uid, level, title, summary, pay_fen, price_fen, badge } = data.info;
        const unavailableReason = getUnavailableReason(data);
        const tag = unavailableReason ? t[unavailableReason] : ownUid === uid ? t.mine : badge;
        return (
          <label
            key={uid}
            className={`relative grid grid-cols-[2.5rem_1fr_auto] gap-4 items-center min-h-19 px-3 py-2 border-b border-[var(--stage-line)] cursor-pointer has-checked:bg-[var(--row)] has-checked:[box-shadow:inset_4px_0_var(--lit)] forced-colors:has-checked:[border:3px_solid] has-focus-visible:outline-3 has-focus-visible:outline-offset-[-3px] has-focus-visible:outline-white`}
          >
            <input
              className="absolute z-1 inset-0 opacity-0 cursor-[inherit]"
              type="radio"
              name="redirect"
              value={link("", "vip", { uid })}
              checked={uid === chosen}
              onChange={() => onChoose(uid)}
            />
            <span className={`plate text-[1.5rem] ${levelPlates[level]}`} aria-hidden="true">
              {levelLetters[level]}
            </span>
            <span className="wrap-anywhere">
              <b className="flex flex-wrap gap-x-2 gap-y-1 items-center font-semibold text-lg leading-[1.3]">
                <span translate="no">{title}</span>{" "}
                {tag && (
                  <span className="tag tag-line h-auto min-h-6.5 whitespace-normal leading-[1.2] text-[inherit] [box-shadow:inset_0_0_0_1.5px_currentColor]">
                    {tag}
                  </span>
                )}
              </b>
              <small className="block mt-1 text-sm leading-[1.4] opacity-92">{summary}</small>
            </span>
            <span
              translate="no"
              className={`numeral text-[1.75rem] leading-[1.15] text-right ${unavailableReason ? "line-through opacity-80" : ""}`}
            >
              {price_fen > pay_fen && (
                <s className="opacity-92 [text-decoration:line-through] mr-2 text-[1.125rem] max-md:block max-md:mr-0">
                  {formatYuan(price_fen)}
                </s>
              )}
              <span>{formatYuan(pay_fen)}</span>
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}
