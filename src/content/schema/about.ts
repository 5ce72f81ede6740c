import type { z } from "astro/zod";
import { day, fields, line, text } from "./field.ts";

const words = {
  title: line("Terms").describe("Heading of the page."),
  summary: text("What holds between you and us.").describe("One or two sentences below it."),
};

export const aboutWords = fields(words);
export const aboutSchema = fields({ ...words, updated: day.describe("Day of the last change.") });

export type AboutFields = z.infer<typeof aboutSchema>;
