import type { AstroIntegration } from "astro";

declare module "astro" {
  interface AstroClientDirectives {
    /** Hydrates on the first intent (pointer, key, focus) or a `hydrate-request` event, or at once when a token is stored; `"now"`: in any case, once the page has been painted. */
    "client:intent"?: true | "now";
  }
}

/** Adds the directive `client:intent`: an island hydrates on the first interaction, which is then replayed. */
export function intent(): AstroIntegration {
  return {
    name: "intent",
    hooks: {
      "astro:config:setup": ({ addClientDirective }) => {
        addClientDirective({ name: "intent", entrypoint: new URL("./intent-directive.ts", import.meta.url).pathname });
      },
    },
  };
}
