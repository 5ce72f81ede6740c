import Check from "~icons/lucide/check";
import type { package as texts } from "../../../i18n/package.ts";
import { formatYuan } from "../../lib/format.ts";
import { compare } from "./compare.ts";
import type { PackageData } from "./store.ts";

interface CompareProps {
  passes: readonly PackageData[];
  chosen: string;
  t: Pick<(typeof texts)["zh-CN"], "compare" | "compareTable" | "not" | "included">;
}

/** What each pass brings, side by side; the chosen one stands out. */
export function Compare({ passes, chosen, t }: CompareProps) {
  const infos = passes.map(({ info }) => info);
  const mark = (place: number) => (infos[place]?.uid === chosen ? "mine" : undefined);
  return (
    <section className="section wrap">
      <div className="sec-h">
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
              {infos.map(({ uid, title, pay_fen }, place) => (
                <th key={uid} scope="col" className={mark(place)}>
                  {title}
                  <span className="num">{formatYuan(pay_fen)}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {compare(infos).map(({ title, has }) => (
              <tr key={title}>
                <th scope="row">{title}</th>
                {infos.map(({ uid }, place) => (
                  <td key={uid} className={mark(place)}>
                    {has[place] ? (
                      <Check className="i" role="img" aria-label={t.included} />
                    ) : (
                      <>
                        <span className="dim" aria-hidden="true">
                          –
                        </span>
                        <span className="vh">{t.not}</span>
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
