import { useEffect, useState } from "react";
import type { address as texts } from "#i18n/address.ts";
import { useStore } from "#src/lib/use-store.ts";
import { Button } from "#src/ui/Button.tsx";
import { Select } from "#src/ui/form/Select.tsx";
import { regionLevelStore } from "./region.ts";

interface RegionChoiceProps {
  t: Pick<(typeof texts)["zh-CN"], "province" | "city" | "district" | "pick" | "regionsFailed" | "regionsRetry">;
  /** Code of the deepest chosen region, of any level; "" for none. */
  value: string;
  onChoose: (region_code: string) => void;
  error: string | undefined;
}

/** Selects for province, city and district. All three stay visible until a region turns out to have no third level. */
export function RegionChoice({ t, value, onChoose, error }: RegionChoiceProps) {
  const [store] = useState(regionLevelStore);
  const { state, levels } = useStore(store.$levels);
  useEffect(() => void store.show(value), [store, value]);
  const firstOpen = levels.findIndex(({ chosen }) => !chosen);
  const isWhole = state === "ready" && firstOpen < 0;
  return (
    <div className="grid grid-cols-[1fr_1fr] gap-4 sm:grid-cols-3">
      {[t.province, t.city, t.district].map((label, depth) => {
        const level = levels[depth];
        return (
          // A region of two levels hides the third list and keeps its space: no layout shift.
          <div key={label} className={`first:col-span-full sm:first:col-auto ${!level && isWhole ? "invisible" : ""}`}>
            <Select
              label={label}
              disabled={!level}
              value={level?.chosen ?? ""}
              onChange={({ target }) => onChoose(target.value || (levels[depth - 1]?.chosen ?? ""))}
              error={depth === Math.max(0, firstOpen) ? error : undefined}
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
        <p className="col-span-full flex items-center gap-3 text-danger text-sm" role="alert">
          <span>{t.regionsFailed}</span>
          <Button variant="outline" size="sm" onClick={() => void store.show(value)}>
            {t.regionsRetry}
          </Button>
        </p>
      )}
    </div>
  );
}
