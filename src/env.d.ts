/// <reference types="astro/client" />
/// <reference types="unplugin-icons/types/react" />

declare module "~icons/lucide/*?raw" {
  const markup: string;

  export { markup as default };
}

/** A module bundled with its imports, as the text of an inline script (`src/build/inline-script.ts`). */
declare module "*?script" {
  const code: string;

  export { code as default };
}

interface ImportMetaEnv {
  readonly PUBLIC_API_ORIGIN?: string;
  readonly PUBLIC_SITE_ORIGIN?: string;
  readonly PUBLIC_OFFLINE?: string;
  readonly PUBLIC_STATISTICS_SCRIPT?: string;
  readonly PUBLIC_STATISTICS_ATTRIBUTES?: string;
}

/** Generated from the list of regions by `src/build/region-data.ts`. */
declare module "virtual:region-data" {
  /** Pairs of a traditional and a simplified character of region names. */
  export const traditional: string;
  /** County-level cities, each with its code: 昆山市320583. */
  export const cities: string;
}
