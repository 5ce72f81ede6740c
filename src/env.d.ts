/// <reference types="astro/client" />
/// <reference types="unplugin-icons/types/react" />

declare module "~icons/lucide/*?raw" {
  const markup: string;

  export { markup as default };
}

interface ImportMetaEnv {
  readonly PUBLIC_API_ORIGIN?: string;
  readonly PUBLIC_SITE_ORIGIN?: string;
  readonly PUBLIC_OFFLINE?: string;
  readonly PUBLIC_STATISTICS_SCRIPT?: string;
  readonly PUBLIC_STATISTICS_ATTRIBUTES?: string;
}
