import type { BuiltPage } from "../built-page.ts";
import type { Chunk } from "../chunks.ts";

type Scripts = readonly { stage: string; content: string }[];

/** What Astro gives its renderer after it has bundled a site. */
export interface Internals {
  /** The style sheets of each page component, by Astro's key. */
  pagesByKeys: ReadonlyMap<string, { styles: object[] }>;
  entrySpecifierToBundleMap: ReadonlyMap<string, string>;
}

/** The part of Astro's renderer that threads of their own need. */
export interface App {
  manifest: {
    routes: readonly { routeData: { route: string; component: string } }[];
    /** Imports the page of each component. */
    pageMap?: Map<string, () => Promise<unknown>>;
  };
  setInternals(internals: Internals): void;
  setOptions(options: { settings: { scripts: Scripts }; logger: object }): void;
  /** The scripts that integrations add to every page. */
  getSettings(): { scripts: Scripts };
  render(request: Request, options: { routeData: object | undefined }): Promise<Response>;
}

/** What finishes a page. */
export interface Finishing {
  chunks: [file: string, chunk: Chunk][];
  /** The id of the client code. */
  code: string;
  sheets: ReadonlyMap<string, string>;
  /** No text of the content names an address under `/zh-CN`. */
  hasPlainLinks: boolean;
}

/** What threads that render pages are started with. */
export interface Common extends Finishing {
  /** The address of Astro's renderer. */
  entry: string;
  /** The folder of the site. */
  dist: string;
  scripts: Scripts;
  styles: Internals["pagesByKeys"];
  bundles: Internals["entrySpecifierToBundleMap"];
}

/** What Astro's renderer takes. */
export interface Address {
  url: string;
  route: string;
  component: string;
}

export interface Order extends Address {
  id: number;
  /** Where a page goes, from the root of the site; other answers come back. */
  file?: string;
  /** Writes a compressed page beside it. */
  isCompressed?: boolean;
  /** The same page without the prefix of this one, `/zh-CN`. */
  twin?: Address & { file: string };
}

export interface Answer {
  id: number;
  status?: number;
  headers?: [name: string, value: string][];
  /** Of what is no page. */
  body?: Uint8Array<ArrayBuffer> | null;
  /** A script file that the page shares with others, from the first of each thread. */
  shared?: { file: string; text: string } | null;
  /** Characters of inline styles, before and after. */
  css?: { before: number; after: number };
  /** Of a page alone. */
  page?: BuiltPage;
  twin?: BuiltPage;
  /** The twin has not been rendered. */
  isDerived?: boolean;
  error?: unknown;
}
