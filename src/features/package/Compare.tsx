import Check from "~icons/lucide/check";
import type { package as texts } from "../../../i18n/package.ts";
import { levelLetters } from "../../api/package.ts";
import { formatYuan } from "../../lib/format.ts";
import { type ComparisonRow, compare } from "./membership-change.ts";
import { levelPlates } from "./PackageChoice.tsx";
import type { PackageData } from "./store.ts";

interface CompareProps {
  packages: readonly PackageData[];
  chosen: string;
  t: Pick<(typeof texts)["zh-CN"], "compare" | "compareTable" | "not" | "included" | "atTheDoor" | "early" | "lasts">;
}

/** The narrowest phones have room for three columns too. */
const row =
  "border-b border-line py-3.5 pr-1.5 text-left text-balance max-[22.49rem]:pr-1 max-[22.49rem]:text-xs lg:py-5 lg:pr-4";
const cell =
  "border-b border-line px-1.5 py-3.5 text-left font-semibold max-lg:text-sm max-[22.49rem]:px-1 max-[22.49rem]:text-xs lg:px-4 lg:py-5";

/** Shows that a package includes a right: by the number in its title, else by a mark that begins where a dash does. */
function Included({ title, label }: { title: string; label: string }) {
  const [number] = /\d[\d,.]*/.exec(title) ?? [];
  if (!number) {
    return <Check className="icon size-6 -ml-1 text-accent-ink lg:size-9 lg:-ml-1.5" role="img" aria-label={label} />;
  }
  return (
    <>
      <span className="numeral text-2xl leading-none max-[22.49rem]:text-xl lg:text-4xl" aria-hidden="true">
        {number}
      </span>
      <span className="sr-only">{label}</span>
    </>
  );
}

/** Compares the packages side by side and highlights the chosen one. */
export function Compare({ packages, chosen, t }: CompareProps) {
  const infos = packages.map(({ info }) => info);
  // Longer ones have two lines on a phone.
  const hasShortTitles = infos.every(({ title }) => title.length < 5);
  // How long they last stands above the table.
  const isStated = ({ title, has }: ComparisonRow) =>
    has.length > 1 && has.every(Boolean) && infos.every(({ days }) => title.includes(String(days)));
  /** On a phone the packages have columns of one width, and the rights have the rest. */
  const columns = infos.length > 2 ? "max-lg:w-17" : "max-lg:w-24";
  const getGround = (index: number) => (infos[index]?.uid === chosen ? "bg-wash" : "");
  return (
    <section className="section wrap">
      <div className="section-head">
        <span className="plate text-[length:clamp(1.125rem,2vw,1.625rem)]" aria-hidden="true">
          A
        </span>
        <h2 className="text-section flex-1 wrap-anywhere">{infos.length > 1 ? t.compare : infos[0]?.title}</h2>
      </div>
      <section className="overflow-x-auto" aria-label={t.compareTable} {...{ tabIndex: 0 }}>
        <table className="w-full [border-collapse:collapse] table-fixed wrap-anywhere">
          <thead>
            <tr>
              <td className="border-b border-line lg:w-4/12" />
              {infos.map(({ uid, level, title, pay_fen }, index) => (
                <th
                  key={uid}
                  scope="col"
                  className={`${cell} ${columns} align-top leading-[1.3] lg:text-2xl ${getGround(index)}`}
                >
                  <span className="block mb-2 text-[1.25rem] lg:text-[2.375rem]" aria-hidden="true">
                    <span className={`plate ${levelPlates[level]} [box-shadow:inset_0_0_0_1px_#0002]`}>
                      {levelLetters[level]}
                    </span>
                  </span>
                  <span className={hasShortTitles ? "whitespace-nowrap" : "block max-lg:min-h-[2.6em]"}>{title}</span>
                  <span className="numeral block text-base text-ink-2 max-[22.49rem]:text-sm">{formatYuan(pay_fen)}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {compare(infos, { "calendar-days": t.lasts, clock: t.early })
              .filter((row) => !isStated(row))
              .map(({ title, has, own, isAtTheDoor }) => (
                <tr key={title}>
                  <th className={`${row} font-normal text-ink-2 lg:text-lg`} scope="row">
                    {title} {isAtTheDoor && <small className="block leading-normal text-ink-3">{t.atTheDoor}</small>}
                  </th>
                  {infos.map(({ uid }, index) => (
                    <td key={uid} className={`${cell} ${getGround(index)}`}>
                      {has[index] ? (
                        (own?.[index] ?? <Included title={title} label={t.included} />)
                      ) : (
                        <>
                          <span className="text-xl text-ink-3 lg:text-2xl" aria-hidden="true">
                            –
                          </span>
                          <span className="sr-only">{t.not}</span>
                        </>
                      )}
                    </td>
                  ))}
                </tr>
              ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}
