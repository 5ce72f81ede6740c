/** Selector of links whose pages are not prefetched. */
export const notPrefetched = "[download],[data-locale],[data-kind],[href*='.']";

/** Speculation rules: the browser prefetches pages on intent, two at a time at most, unless `data-thrifty` marks a visitor who saves data. */
export const speculationRules = JSON.stringify({
  prefetch: [
    {
      where: {
        and: [
          { href_matches: "/*" },
          { selector_matches: "html:not([data-thrifty]) a" },
          { not: { selector_matches: notPrefetched } },
        ],
      },
      eagerness: "moderate",
    },
  ],
});
