import { type ConfigData, HtmlValidate, StaticConfigLoader } from "html-validate";
import type { BuiltPage } from "../content/site.ts";

/** What React and Astro write in their own way, and means the same. */
const style = ["attr-case", "attribute-boolean-style", "attribute-empty-style", "void-style"];

const config: ConfigData = {
  root: true,
  extends: ["html-validate:recommended"],
  elements: ["html5"],
  rules: {
    ...Object.fromEntries(style.map((rule) => [rule, "off"])),
    // React's ids begin with "_", which HTML allows.
    "valid-id": ["error", { relaxed: true }],
    // Text is what an input is without a type.
    "no-implicit-input-type": "off",
    // aria-label and aria-labelledby name a group too; axe checks that each has a name.
    "wcag/h71": "off",
    // An item that is sold out cannot be sent, and a search runs while one types.
    "wcag/h32": "off",
    // A headline is as long as its author writes it.
    "long-title": "off",
  },
};

const validator = new HtmlValidate(new StaticConfigLoader(config));

/** A script fills a template before its content is in the page; what is in it stays where it is. */
const withoutTemplates = (html: string) =>
  html.replace(/(?<=<template[^>]*>).*?(?=<\/template>)/gs, (content) => content.replace(/\S/g, " "));

/** Returns what html-validate says of a page. */
export function findHtmlFaults({ file, html }: Pick<BuiltPage, "file" | "html">): string[] {
  const { results } = validator.validateStringSync(withoutTemplates(html), file);
  return results
    .flatMap(({ messages }) => messages)
    .map(({ ruleId, message, selector, line, column }) => `${file}:${line}:${column} ${ruleId}: ${message} (${selector})`);
}
