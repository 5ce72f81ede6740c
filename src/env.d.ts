/// <reference types="astro/client" />
/// <reference types="unplugin-icons/types/react" />

declare module "~icons/lucide/*?raw" {
  const markup: string;

  export { markup as default };
}

/** A module with all that it imports, as the text of an inline script (`src/build/inline-script.ts`). */
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

/** Made of the list of regions by `src/build/region-names.ts`. */
declare module "virtual:region-data" {
  /** Pairs of characters of names of regions, the traditional one first. */
  export const traditional: string;
  /** Cities of county rank, each with its code: 昆山市320583. */
  export const cities: string;
}
