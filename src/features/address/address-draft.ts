import * as v from "valibot";
import { splitPrefix } from "../../../i18n/locale.ts";
import { draft } from "../../lib/draft.ts";

/** Draft of the address form until it is saved. `open`: the dialog was open when the page was left. */
export const addressDraft = draft(
  "address",
  v.object({
    open: v.optional(v.boolean()),
    address_id: v.optional(v.string()),
    pasted: v.optional(v.string()),
    name: v.optional(v.string()),
    mobile: v.optional(v.string()),
    region_code: v.optional(v.string()),
    detail: v.optional(v.string()),
    is_default: v.optional(v.boolean()),
  }),
  splitPrefix,
);
