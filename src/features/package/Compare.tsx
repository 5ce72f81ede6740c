import type { package as texts } from "#i18n/package.ts";
import { levelLetters } from "#src/api/package.ts";
import { formatYuan } from "#src/lib/format.ts";
import ArrowRight from "~icons/lucide/arrow-right";
import Check from "~icons/lucide/check";
import { type ComparisonRow, compare } from "./membership-change.ts";
import { levelPlates } from "./PackageChoice.tsx";
import type { PackageData } from "./store.ts";

interface CompareProps {
  packages: readonly PackageData[];
  chosen: string;
  t: Pick<(typeof texts)["zh-CN"], "compare" | "compareTable" | "not" | "included" | "atTheDoor" | "early" | "lasts" | "top">;
}

/** On a phone the cells of a row share its width, below its head. */
const row = "max-lg:flex max-lg:flex-wrap";
const cell =
  "border-line min-h-11 px-3 text-left font-semibold max-lg:flex-1 max-lg:min-w-0 max-lg:text-sm lg:border-b lg:px-4 lg:py-5";

/** What a package has of a right: its own words with their number large, else a mark that begins where a dash does. */
function Value({ words, label }: { words: string | undefined; label: string }) {
  if (!words) return <Check className="icon size-7 -ml-1 text-accent-ink lg:size-9 lg:-ml-1.5" role="img" aria-label={label} />;
  const [, before, number, after] = /^(\D*)(\d[\d,.]*)?(.*)/.exec(words) ?? [];
  return (
    <span className="lg:text-2xl">
      <span>{before}</span>
      {number && <span className="numeral text-3xl leading-none lg:text-5xl">{number}</span>}
      <span>{after}</span>
    </span>
  );
}

/** Compares the packages side by side and highlights the chosen one. */
export function Compare({ packages, chosen, t }: CompareProps) {
  const infos = packages.map(({ info }) => info);
  // How long they last stands above the table.
  const isStated = ({ title, has }: ComparisonRow) =>
    has.length > 1 && has.every(Boolean) && infos.every(({ days }) => title.includes(String(days)));
  /** Above the highest, there is nothing to go up to. */
  const isTop = (title: string, level = 0) =>
    infos.some(({ rights }) => rights.some((right) => right.title === title && right.icon === "arrow-up")) &&
    infos.every((info) => info.level <= level);
  const getGround = (index: number) => (infos[index]?.uid === chosen ? "bg-wash" : "");
  return (
    <section className="section wrap">
      <div className="section-head">
        <span className="plate text-[length:clamp(1.125rem,2vw,1.625rem)]" aria-hidden="true">
          <ArrowRight className="size-[0.75em] fill-none stroke-current stroke-3" />
        </span>
        <h2 className="text-section flex-1 wrap-anywhere">{infos.length > 1 ? t.compare : infos[0]?.title}</h2>
      </div>
      <section className="overflow-x-auto" aria-label={t.compareTable} {...{ tabIndex: 0 }}>
        <table className="w-full border-b border-line [border-collapse:collapse] table-fixed wrap-anywhere">
          <thead>
            <tr className={row}>
              <td className="border-b border-line max-lg:hidden lg:w-4/12" />
              {infos.map(({ uid, level, title, pay_fen }, index) => (
                <th
                  key={uid}
                  scope="col"
                  className={`${cell} align-top leading-[1.3] max-lg:py-3 lg:text-2xl ${getGround(index)}`}
                >
                  <span className="block mb-2 text-[1.25rem] lg:text-[2.375rem]" aria-hidden="true">
                    <span className={`plate ${levelPlates[level]} [box-shadow:inset_0_0_0_1px_#0002]`}>
                      {levelLetters[level]}
                    </span>
                  </span>
                  <span className="block" translate="no">
                    {title}
                  </span>
                  <span className="numeral block text-base text-ink-2" translate="no">
                    {formatYuan(pay_fen)}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          {compare(infos, { "calendar-days": t.lasts, clock: t.early })
            .filter((row) => !isStated(row))
            .map(({ title, has, own, isAtTheDoor }) => {
              const right = (
                <>
                  <span>{title}</span> {isAtTheDoor && <small className="block leading-normal text-ink-3">{t.atTheDoor}</small>}
                </>
              );
              return (
                <tbody key={title}>
                  <tr className={row}>
                    {/* On a phone a right stands above what the packages say of it. */}
                    <th
                      className="border-line text-left font-normal text-ink-2 max-lg:basis-full max-lg:border-t max-lg:px-3 max-lg:pt-3 max-lg:pb-1 lg:border-b lg:py-5 lg:pr-4 lg:text-lg lg:text-balance"
                      scope="row"
                    >
                      {right}
                    </th>
                    {infos.map(({ uid }, index) => (
                      <td key={uid} className={`${cell} max-lg:flex max-lg:items-center ${getGround(index)}`}>
                        {has[index] ? (
                          <Value words={own?.[index] ?? undefined} label={t.included} />
                        ) : isTop(title, infos[index]?.level) ? (
                          <span className="font-normal text-ink-2">{t.top}</span>
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
                </tbody>
              );
            })}
        </table>
      </section>
    </section>
  );
}
