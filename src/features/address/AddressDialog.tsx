import { useEffect } from "react";
import type { address as texts } from "../../../i18n/address.ts";
import { fill } from "../../../i18n/catalogue.ts";
import type { state } from "../../../i18n/state.ts";
import type { Address } from "../../api/address.ts";
import { codes } from "../../api/envelope.ts";
import { ApiError } from "../../api/errors.ts";
import { toProblem } from "../../api/problem.ts";
import { useDeferredStore, useStore } from "../../lib/use-store.ts";
import { Dialog } from "../../ui/Dialog.tsx";
import { AddressForm } from "./AddressForm.tsx";
import { addressDraft } from "./draft.ts";
import { most } from "./store.ts";

interface AddressDialogProps {
  t: (typeof texts)["zh-CN"];
  states: (typeof state)["zh-CN"];
  list: readonly Address[];
  onSaved?: (saved: Address | undefined) => void;
}

/** Opens the form: empty, or with what was typed before; for another address than before, with that one's. */
export function openForm(address_id = ""): void {
  if ((addressDraft.$values.get().address_id ?? "") !== address_id) addressDraft.clear();
  addressDraft.save({ address_id, open: true });
}

/** The form in a dialog. A reload or a login on the way opens it again as it was. */
export function AddressDialog({ t, states, list, onSaved }: AddressDialogProps) {
  const now = useStore(addressDraft.$values);
  const calm = useDeferredStore(addressDraft.$values);
  // Much is drawn when it opens, and nothing when it closes.
  const { open = false, address_id } = now.open ? calm : now;
  useEffect(addressDraft.restore, []);
  const address = list.find((one) => one.address_id === address_id);
  const close = () => addressDraft.save({ open: false });
  const worded = (caught: unknown) => {
    if (caught instanceof ApiError && caught.code === codes.overLimit) return fill(t.tooMany, { n: most });
    const problem = toProblem(caught, states);
    return problem.kind === "failed" ? problem.message : states.needsLoginTitle;
  };
  return (
    <Dialog title={address ? t.editTitle : t.newTitle} open={open} onClose={close} wide>
      {open && (
        <AddressForm
          t={t}
          address={address}
          worded={worded}
          onSaved={(saved) => onSaved?.(saved)}
          onCancel={addressDraft.clear}
        />
      )}
    </Dialog>
  );
}
