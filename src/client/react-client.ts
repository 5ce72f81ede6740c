// Hydrates React's islands; src/build/islands.ts registers it in place of what @astrojs/react has, which gives `hydrateRoot` no handlers.

import { type ComponentType, createElement, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";

/** Hydrates an island. Where its HTML has been changed meanwhile, as by a translation, React draws it anew: no error for the visitor. */
const hydrate =
  (island: HTMLElement) =>
  (Component: ComponentType<Record<string, unknown>>, props: Record<string, unknown>): void => {
    if (!island.hasAttribute("ssr")) return;
    startTransition(() => {
      hydrateRoot(island, createElement(Component, props), {
        identifierPrefix: island.getAttribute("prefix") ?? "",
        onRecoverableError: (error) => console.warn(error),
      });
    });
  };

export default hydrate;
