import { addressDraft } from "./address-draft.ts";
import { type FilledFields, filledFields, toFields } from "./fill-fields.ts";

type Field = (typeof filledFields)[number];

export interface Pasted {
  /** Fields that the text has not filled in, or not for certain. */
  unsure: Field[];
  /** Fields that keep what the member has filled in, which differs from the text. */
  unchanged: Field[];
}

const minLength = 8;

/** Returns whether the member has filled in a field, or changed what a pasted text had filled in. Completing its region is no change. */
function isOwn(field: Field, value: string, filled = ""): boolean {
  if (value === "" || value === filled) return false;
  const above = field === "region_code" ? filled.replace(/(00)+$/, "") : "";
  return above === "" || !value.startsWith(above);
}

/** Fills the draft from a pasted text. It replaces what an earlier text has filled in, and nothing else. `onDone` receives null for a text too short for an address. */
export async function paste(pasted: string, onDone: (result: Pasted | null) => void): Promise<void> {
  addressDraft.save({ pasted });
  if (pasted.trim().length < minLength) return onDone(null);
  const { fields, unsure } = await toFields(pasted);
  const draft = addressDraft.$values.get();
  // The text changed while the regions were loading.
  if (draft.pasted !== pasted) return;
  const own = filledFields.filter((field) => isOwn(field, draft[field] ?? "", draft.filled?.[field]));
  const filled: FilledFields = {};
  for (const field of filledFields) if (!own.includes(field)) filled[field] = fields[field] ?? "";
  addressDraft.save({ ...filled, filled });
  onDone({
    unsure: unsure.filter((field) => !own.includes(field)),
    unchanged: own.filter((field) => fields[field] && fields[field] !== draft[field]),
  });
}
