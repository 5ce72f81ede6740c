import { useState } from "react";
import { Button } from "../Button.tsx";
import { Dialog } from "../Dialog.tsx";
import "../../lib/replay-interactions.ts";

type Words =
  | "logOut"
  | "logOutTitle"
  | "logOutBody"
  | "stay"
  | "deleteAddress"
  | "deleteTitle"
  | "deleteBody"
  | "keep"
  | "remove";
interface DialogDemoProps {
  t: Record<Words, string>;
}

/** Two buttons that open dialogs. */
export function DialogDemo({ t }: DialogDemoProps) {
  const [openId, setOpenId] = useState<"logOut" | "delete" | null>(null);
  const close = () => setOpenId(null);
  const questions = [
    { id: "logOut", open: t.logOut, title: t.logOutTitle, body: t.logOutBody, no: t.stay, yes: t.logOut },
    { id: "delete", open: t.deleteAddress, title: t.deleteTitle, body: t.deleteBody, no: t.keep, yes: t.remove },
  ] as const;
  return (
    <div className="rw">
      {questions.map(({ id, open, title, body, no, yes }) => (
        <div key={id}>
          <Button variant="outline" aria-haspopup="dialog" onClick={() => setOpenId(id)}>
            {open}
          </Button>
          <Dialog title={title} open={openId === id} onClose={close}>
            <p className="mut">{body}</p>
            <p className="ways end">
              <Button variant="ghost" onClick={close}>
                {no}
              </Button>
              <Button variant="danger" onClick={close}>
                {yes}
              </Button>
            </p>
          </Dialog>
        </div>
      ))}
    </div>
  );
}
