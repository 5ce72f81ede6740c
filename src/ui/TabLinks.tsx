export interface TabLink {
  href: string;
  label: string;
  current: boolean;
  count?: number | undefined;
}

/** Tabs that link to pages. */
export function TabLinks({ label, links }: { label: string; links: readonly TabLink[] }) {
  return (
    <nav className="tabs flex gap-6 border-b border-line overflow-x-auto [scrollbar-width:none]" aria-label={label}>
      {links.map((tab) => (
        <a
          className="relative flex items-center gap-1.5 min-h-12 font-semibold text-ink-3 whitespace-nowrap flex-none aria-[current]:text-ink aria-selected:text-ink focus-visible:outline-offset-[-3px]"
          key={tab.href}
          href={tab.href}
          aria-current={tab.current ? "page" : undefined}
        >
          {tab.label}
          {tab.count !== undefined && (
            <sup className="aria-[current]:text-ink aria-selected:text-ink font-bold text-xs leading-none font-display text-accent-ink top-0 align-baseline">
              {tab.count}
            </sup>
          )}
        </a>
      ))}
    </nav>
  );
}
