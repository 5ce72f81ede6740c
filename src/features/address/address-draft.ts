import * as v from "valibot";
import { splitPrefix } from "../../../i18n/locale.ts";
import { draft } from "../../lib/draft.ts";

/** Draft of the address form until it is saved. `open`: the dialog was open when the page was left. */
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
  splitPrefix,
);
