interface TabLink {
  href: string;
  label: string;
  current: boolean;
  count?: number | undefined;
}

/** Tabs that link to pages. */
export function TabLinks({ label, links }: { label: string; links: readonly TabLink[] }) {
  return (
    <nav className="tabs -mx-gutter px-gutter" aria-label={label}>
      {links.map((tab) => (
        <a key={tab.href} href={tab.href} aria-current={tab.current ? "page" : undefined}>
          <span>{tab.label}</span>
          {tab.count !== undefined && (
            <sup className="font-bold text-xs leading-none font-display text-accent-ink align-baseline" translate="no">
              {tab.count}
            </sup>
          )}
        </a>
      ))}
    </nav>
  );
}
