import type { z } from "astro/zod";
import { day, fields, line, text } from "./field.ts";

const words = { title: line("Terms"), summary: text("What holds between you and us.") };

export const aboutWords = fields(words);
export const aboutSchema = fields({ ...words, updated: day });

export type AboutFields = z.infer<typeof aboutSchema>;
