import * as v from "valibot";
import { splitPrefix } from "#i18n/locale.ts";
import { draft } from "#src/lib/draft.ts";

const text = v.optional(v.string());

/** Draft of the address form until it is saved. `open`: the dialog was open when the page was left. `filled`: what the pasted text has filled in. */
export const addressDraft = draft(
  "address",
  v.object({
    open: v.optional(v.boolean()),
    address_id: text,
    pasted: text,
    filled: v.optional(v.object({ name: text, mobile: text, region_code: text, detail: text })),
    name: text,
    mobile: text,
    region_code: text,
    detail: text,
    is_default: v.optional(v.boolean()),
  }),
  splitPrefix,
);
