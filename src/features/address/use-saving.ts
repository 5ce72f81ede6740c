import { useState } from "react";
import type { Address } from "../../api/address.ts";
import { fieldErrors } from "../../api/problem.ts";
import { addressDraft } from "./address-draft.ts";
import { type AddressFields, save } from "./store.ts";

/** Submits the address form, one request at a time. Returns the server's errors by field, or one problem for the whole form. */
export function useSaving(toMessage: (error: unknown) => string, onSaved: (saved: Address | undefined) => void) {
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);

  async function submit(fields: AddressFields, address_id: string | undefined): Promise<void> {
    if (busy) return;
    setBusy(true);
    setProblem("");
    setErrors({});
    try {
      const saved = await save(fields, address_id);
      addressDraft.clear();
      onSaved(saved);
    } catch (error) {
      const reasons = fieldErrors(error);
      setErrors(reasons ?? {});
      if (!reasons) setProblem(toMessage(error));
    }
    setBusy(false);
  }
  return { errors, problem, busy, submit };
}
