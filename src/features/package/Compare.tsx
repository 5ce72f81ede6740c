import Check from "~icons/lucide/check";
import type { package as texts } from "../../../i18n/package.ts";
import { formatYuan } from "../../lib/format.ts";
import { compare } from "./membership-change.ts";
import type { PackageData } from "./store.ts";

interface CompareProps {
  packages: readonly PackageData[];
  chosen: string;
  t: Pick<(typeof texts)["zh-CN"], "compare" | "compareTable" | "not" | "included" | "atTheDoor">;
}

/** Compares the packages side by side and highlights the chosen one. */
export function Compare({ packages, chosen, t }: CompareProps) {
  const infos = packages.map(({ info }) => info);
  const getClass = (index: number) => (infos[index]?.uid === chosen ? "mine" : undefined);
  return (
    <section className="section wrap">
      <div className="section-head">
        <span className="plate text-[length:clamp(1.125rem,2vw,1.625rem)]" aria-hidden="true">
          A
        </span>
        <h2 className="text-section flex-1">{t.compare}</h2>
      </div>
      <section className="cmp overflow-x-auto" aria-label={t.compareTable} {...{ tabIndex: 0 }}>
        <table className="w-full [border-collapse:collapse]">
          <thead>
            <tr>
              <td />
              {infos.map(({ uid, title, pay_fen }, index) => (
                <th key={uid} scope="col" className={getClass(index)}>
                  {title}
                  <span className="numeral block text-ink-2">{formatYuan(pay_fen)}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {compare(infos).map(({ title, has, isAtTheDoor }) => (
              <tr key={title}>
                <th className="pl-0 font-normal text-ink-2 lg:w-[34%] lg:text-lg" scope="row">
                  {title} {isAtTheDoor && <small>{t.atTheDoor}</small>}
                </th>
                {infos.map(({ uid }, index) => (
                  <td key={uid} className={getClass(index)}>
                    {has[index] ? (
                      <Check className="icon size-6 text-accent-ink" role="img" aria-label={t.included} />
                    ) : (
                      <>
                        <span className="text-ink-3" aria-hidden="true">
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
