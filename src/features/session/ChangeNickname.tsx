import { useEffect } from "react";
import { useStore } from "#src/lib/use-store.ts";
import { Dialog, useModule } from "#src/ui/Dialog.tsx";
import Pencil from "~icons/lucide/pencil";
import type { NicknameFormProps } from "./NicknameForm.tsx";
import { nicknameDraft } from "./nickname-form.ts";

const loadForm = () => import("./NicknameForm.tsx");
const close = () => nicknameDraft.save({ open: false });

/** The button that changes the nickname, in a dialog. It opens again with its draft after a reload or a login. */
export function ChangeNickname({ isOffline, ...props }: NicknameFormProps & { isOffline: boolean }) {
  const { open = false } = useStore(nicknameDraft.$values);
  useEffect(nicknameDraft.restore, []);
  const Form = useModule(open, loadForm, close)?.NicknameForm;
  return (
    <>
      <button
        type="button"
        className="icon-button -my-2.25"
        aria-label={props.t.change}
        hidden={isOffline}
        onClick={() => nicknameDraft.save({ open: true })}
      >
        <Pencil className="icon" aria-hidden="true" />
      </button>
      <Dialog title={props.t.change} open={open && Form !== undefined} onClose={close}>
        {open && Form && <Form {...props} />}
      </Dialog>
    </>
  );
}
