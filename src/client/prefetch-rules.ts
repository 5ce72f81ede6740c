/** What a link must not be, so that its page may be fetched ahead. */
export const notAhead = "[download],[data-locale],[data-kind],[href*='.']";

/** Pages are fetched ahead on intent by the browser itself (two at a time at most), unless the visitor is thrifty: the frame marks that. */
export const speculationRules = JSON.stringify({
  prefetch: [
    {
      where: {
        and: [
          { href_matches: "/*" },
          { selector_matches: "html:not([data-thrifty]) a" },
          { not: { selector_matches: notAhead } },
        ],
      },
      eagerness: "moderate",
    },
  ],
});
