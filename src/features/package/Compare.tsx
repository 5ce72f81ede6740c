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
        <span className="plate" aria-hidden="true">
          A
        </span>
        <h2>{t.compare}</h2>
      </div>
      <section className="cmp" aria-label={t.compareTable} {...{ tabIndex: 0 }}>
        <table>
          <thead>
            <tr>
              <td />
              {infos.map(({ uid, title, pay_fen }, index) => (
                <th key={uid} scope="col" className={getClass(index)}>
                  {title}
                  <span className="numeral">{formatYuan(pay_fen)}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {compare(infos).map(({ title, has, isAtTheDoor }) => (
              <tr key={title}>
                <th scope="row">
                  {title} {isAtTheDoor && <small>{t.atTheDoor}</small>}
                </th>
                {infos.map(({ uid }, index) => (
                  <td key={uid} className={getClass(index)}>
                    {has[index] ? (
                      <Check className="icon" role="img" aria-label={t.included} />
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
