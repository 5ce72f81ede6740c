import { useState } from "react";
import type { Address } from "../../api/address.ts";
import { fieldErrors } from "../../api/problem.ts";
import { addressDraft } from "./draft.ts";
import { type Fields, save } from "./store.ts";

/** Sends the form once at a time; the host's reasons by field, or one for all of it. */
export function useSaving(worded: (caught: unknown) => string, onSaved: (saved: Address | undefined) => void) {
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);

  async function submit(fields: Fields, address_id: string | undefined): Promise<void> {
    if (busy) return;
    setBusy(true);
    setProblem("");
    setErrors({});
    try {
      const saved = await save(fields, address_id);
      addressDraft.clear();
      onSaved(saved);
    } catch (caught) {
      const reasons = fieldErrors(caught);
      setErrors(reasons ?? {});
      if (!reasons) setProblem(worded(caught));
    }
    setBusy(false);
  }
  return { errors, problem, busy, submit };
}
