import type { ReactElement } from "react";

/**
 * What stands beside other children: elements, never a text. A browser's translation replaces text nodes, and React, which holds them, would
 * change or remove the ones that are gone; an element that has nothing but text gets its text anew.
 */
export type Elements = ReactElement | false | null | undefined | "" | readonly Elements[];
