import type { AstroIntegration } from "astro";

declare module "astro" {
  interface AstroClientDirectives {
    /** Hydrates on the first intent (pointer, key, focus) or a `wake` event, or at once when a token is stored; `"now"`: in any case, once the page has been painted. */
    "client:intent"?: true | "now";
  }
}

/** The directive `client:intent`: React loads when somebody acts, and what they did is then carried out. */
export function intent(): AstroIntegration {
  return {
    name: "intent",
    hooks: {
      "astro:config:setup": ({ addClientDirective }) => {
        addClientDirective({ name: "intent", entrypoint: new URL("./intent-client.ts", import.meta.url).pathname });
      },
    },
  };
}
