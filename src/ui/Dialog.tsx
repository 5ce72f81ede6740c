import { type ReactNode, useEffect, useId, useRef } from "react";

interface DialogProps {
  title: string;
  open: boolean;
  /** Escape, the backdrop, or `open` gone: it has closed. */
  onClose: () => void;
  /** Holds a form. */
  wide?: boolean;
  children: ReactNode;
}

/** The native modal dialog: what is behind it is out of reach, Escape and the backdrop close it, and focus goes back to where it was. */
export function Dialog({ title, open, onClose, wide, children }: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open && !dialog.current?.open) dialog.current?.showModal();
    if (!open && dialog.current?.open) dialog.current.close();
  }, [open]);
  return (
    <dialog
      ref={dialog}
      className={wide ? "dialog wide" : "dialog"}
      aria-labelledby={id}
      onClose={onClose}
      {...{ closedby: "any" }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}
