import type { BuiltPage } from "../built-page.ts";
import type { Chunk } from "../chunks.ts";

/** What the threads that render pages have in common. */
export interface Common {
  /** The address of Astro's renderer. */
  entry: string;
  /** The folder of the site. */
  dist: string;
  /** The scripts that integrations add to every page. */
  scripts: readonly { stage: string; content: string }[];
  /** The style sheets of each page component, by Astro's key. */
  styles: ReadonlyMap<string, { styles: object[] }>;
  bundles: ReadonlyMap<string, string>;
  chunks: [file: string, chunk: Chunk][];
  /** The id of the client code. */
  code: string;
  sheets: ReadonlyMap<string, string>;
}

export interface Order {
  id: number;
  url: string;
  route: string;
  component: string;
  /** Where a page goes, from the root of the site; other answers come back. */
  file?: string;
  /** Writes a compressed page beside it. */
  isCompressed?: boolean;
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
  error?: unknown;
}
