// Browser code of React's islands, which islands.ts registers in place of that of @astrojs/react: its own gives `hydrateRoot` no handlers.

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
