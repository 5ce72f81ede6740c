import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";

export interface Tab {
  id: string;
  label: string;
  count?: number | undefined;
  panel: ReactNode;
}

/** Tabs with panels in the page; arrow keys, Home and End select. For tabs that link to pages: `TabLinks`. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const base = useId();
  const list = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  const press = (event: KeyboardEvent) => {
    const last = tabs.length - 1;
    const steps: Record<string, number> = {
      ArrowRight: current === last ? 0 : current + 1,
      ArrowLeft: current === 0 ? last : current - 1,
      Home: 0,
      End: last,
    };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setCurrent(next);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
  };
  return (
    <div>
      <div className="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={press}>
        {tabs.map((tab, index) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${base}${tab.id}`}
            aria-selected={index === current}
            aria-controls={`${base}${tab.id}p`}
            tabIndex={index === current ? 0 : -1}
            onClick={() => setCurrent(index)}
          >
            <span>{tab.label}</span>
            {tab.count !== undefined && (
              <sup className="font-bold text-xs leading-none font-display text-accent-ink align-baseline" translate="no">
                {tab.count}
              </sup>
            )}
          </button>
        ))}
      </div>
      {tabs.map((tab, index) => (
        <div
          className="py-4"
          key={tab.id}
          role="tabpanel"
          id={`${base}${tab.id}p`}
          aria-labelledby={`${base}${tab.id}`}
          hidden={index !== current}
        >
          {tab.panel}
        </div>
      ))}
    </div>
  );
}
