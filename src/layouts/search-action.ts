import type { SearchAction, WithActionConstraints } from "schema-dts";
import type { Locale } from "../../i18n/locale.ts";
import { canonicalLink } from "../routes.ts";

/** Describes the search of the site, with the place of the query in its address. */
export function describeSearch(locale: Locale, origin: URL): WithActionConstraints<SearchAction> {
  return {
    "@type": "SearchAction",
    target: `${new URL(canonicalLink(locale, "search"), origin).href}?q={q}`,
    "query-input": "required name=q",
  };
}
