import { useEffect, useState } from "react";
import type { address as texts } from "../../../i18n/address.ts";
import { useStore } from "../../lib/use-store.ts";
import { Button } from "../../ui/Button.tsx";
import { Select } from "../../ui/Select.tsx";
import { levelStore } from "./region.ts";

interface RegionChoiceProps {
  t: Pick<(typeof texts)["zh-CN"], "province" | "city" | "district" | "pick" | "regionsFailed" | "regionsRetry">;
  /** The deepest region that is chosen, whether or not it is the last level; "" for none. */
  value: string;
  onChoose: (region_code: string) => void;
  error: string | undefined;
}

/** Level by level, as the host names them. All three lists stand there until the last one turns out to have nothing in it. */
export function RegionChoice({ t, value, onChoose, error }: RegionChoiceProps) {
  const [store] = useState(levelStore);
  const { state, levels } = useStore(store.$levels);
  useEffect(() => void store.show(value), [store, value]);
  const open = levels.findIndex(({ chosen }) => !chosen);
  const isWhole = state === "ready" && open < 0;
  return (
    <div className="region">
      {[t.province, t.city, t.district].map((label, depth) => {
        const level = levels[depth];
        return (
          // Of a region of two levels the third list goes, and leaves its room, so that nothing moves.
          <div key={label} className={!level && isWhole ? "invisible" : undefined}>
            <Select
              label={label}
              disabled={!level}
              value={level?.chosen ?? ""}
              onChange={({ target }) => onChoose(target.value || (levels[depth - 1]?.chosen ?? ""))}
              error={depth === Math.max(0, open) ? error : undefined}
            >
              <option value="">{t.pick}</option>
              {level?.options.map(({ region_code, name }) => (
                <option key={region_code} value={region_code}>
                  {name}
                </option>
              ))}
            </Select>
          </div>
        );
      })}
      {state === "failed" && (
        <p className="region-no" role="alert">
          {t.regionsFailed}
          <Button variant="outline" size="sm" onClick={() => void store.show(value)}>
            {t.regionsRetry}
          </Button>
        </p>
      )}
    </div>
  );
}
