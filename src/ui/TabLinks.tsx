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
      {links.map((one) => (
        <a key={one.href} href={one.href} aria-current={one.current ? "page" : undefined}>
          {one.label}
          {one.count !== undefined && <sup>{one.count}</sup>}
        </a>
      ))}
    </nav>
  );
}
