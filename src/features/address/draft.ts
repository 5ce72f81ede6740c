import * as v from "valibot";
import { draft } from "../../lib/draft.ts";

/** What the address form holds until it is saved. `open`: it was, when the page went. */
export const addressDraft = draft(
  "address",
  v.partial(
    v.object({
      open: v.boolean(),
      address_id: v.string(),
      pasted: v.string(),
      name: v.string(),
      mobile: v.string(),
      region_code: v.string(),
      detail: v.string(),
      is_default: v.boolean(),
    }),
  ),
);
