export interface TabLink {
  href: string;
  label: string;
  current: boolean;
  count?: number | undefined;
}

/** Tabs that link to pages. */
export function TabLinks({ label, links }: { label: string; links: readonly TabLink[] }) {
  return (
    <nav className="tabs" aria-label={label}>
      {links.map((tab) => (
        <a key={tab.href} href={tab.href} aria-current={tab.current ? "page" : undefined}>
          {tab.label}
          {tab.count !== undefined && <sup>{tab.count}</sup>}
        </a>
      ))}
    </nav>
  );
}
