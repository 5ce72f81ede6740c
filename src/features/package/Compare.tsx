import Check from "~icons/lucide/check";
import type { package as texts } from "../../../i18n/package.ts";
import { yuan } from "../../lib/format.ts";
import { compare } from "./compare.ts";
import type { Pass } from "./store.ts";

interface CompareProps {
  passes: readonly Pass[];
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
                  <span className="num">{yuan(pay_fen)}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {compare(infos).map(({ head, cells }) => (
              <tr key={`${head} ${cells.join()}`}>
                <th scope="row">{head}</th>
                {cells.map((cell, place) => (
                  <td key={infos[place]?.uid} className={mark(place)}>
                    {cell === true && <Check className="i" role="img" aria-label={t.included} />}
                    {cell === null && (
                      <>
                        <span className="dim" aria-hidden="true">
                          –
                        </span>
                        <span className="vh">{t.not}</span>
                      </>
                    )}
                    {typeof cell === "string" && <span className={cell.length < 4 ? "num" : "sm"}>{cell}</span>}
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
