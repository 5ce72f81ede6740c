import { useEffect } from "react";
import type { address as texts } from "#i18n/address.ts";
import { fill } from "#i18n/catalogue.ts";
import type { OwnStates } from "#i18n/state.ts";
import type { Address } from "#src/api/address.ts";
import { ApiError, codes } from "#src/api/envelope.ts";
import { toProblem } from "#src/api/problem.ts";
import { useDeferredStore, useStore } from "#src/lib/use-store.ts";
import { Dialog, useModule } from "#src/ui/Dialog.tsx";
import { addressDraft } from "./address-draft.ts";
import { maxAddresses } from "./store.ts";

interface AddressDialogProps {
  t: (typeof texts)["zh-CN"];
  states: OwnStates;
  list: readonly Address[];
  onSaved?: (saved: Address | undefined) => void;
}

/** Opens the form with the stored draft; a draft of another address is cleared first. "" adds an address. */
export function openForm(address_id = ""): void {
  if ((addressDraft.$values.get().address_id ?? "") !== address_id) addressDraft.clear();
  addressDraft.save({ address_id, open: true });
}

/** Opens the form for a new address that is filled in like another one. */
export function openCopy({ name, mobile, region_code, detail, is_default }: Address): void {
  addressDraft.clear();
  addressDraft.save({ address_id: "", open: true, name, mobile, region_code, detail, is_default });
}

const loadForm = () => import("./AddressForm.tsx");
const close = () => addressDraft.save({ open: false });

/** The address form in a dialog, loaded when it first opens. It opens again with its draft after a reload or a login. */
export function AddressDialog({ t, states, list, onSaved }: AddressDialogProps) {
  const current = useStore(addressDraft.$values);
  const deferred = useDeferredStore(addressDraft.$values);
  // Opening renders much and may be deferred; closing renders nothing.
  const { open = false, address_id } = current.open ? deferred : current;
  useEffect(addressDraft.restore, []);
  const address = list.find((item) => item.address_id === address_id);
  const Form = useModule(open, loadForm, close)?.AddressForm;
  const toMessage = (error: unknown) => {
    if (error instanceof ApiError && error.code === codes.overLimit) return fill(t.tooMany, { n: maxAddresses });
    const problem = toProblem(error, states);
    return problem.kind === "failed" ? problem.message : states.needsLoginTitle;
  };
  return (
    <Dialog title={address ? t.editTitle : t.newTitle} open={open && Form !== undefined} onClose={close} wide>
      {open && Form && (
        <Form
          t={t}
          address={address}
          toMessage={toMessage}
          onSaved={(saved) => onSaved?.(saved)}
          onCancel={addressDraft.clear}
        />
      )}
    </Dialog>
  );
}
