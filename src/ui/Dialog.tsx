import { useEffect, useId, useRef, useState } from "react";
import type { Elements } from "./elements.ts";

interface DialogProps {
  /** "" while it is closed and nothing has one yet. */
  title: string;
  open: boolean;
  /** Called after Escape, a press on the backdrop, or `open` turning false. */
  onClose: () => void;
  /** Lays out a form. */
  wide?: boolean;
  children: Elements;
}

/** Loads the module of a dialog's content once it is `needed`; null until then. `onFailed` runs after the page has reported that it cannot be loaded. */
export function useModule<Module>(needed: boolean, load: () => Promise<Module>, onFailed: () => void): Module | null {
  const [module, setModule] = useState<Module | null>(null);
  useEffect(() => {
    if (needed && !module) load().then(setModule, onFailed);
  }, [needed, module, load, onFailed]);
  return module;
}

/** For a form: what sends it hides no field that has the focus. On a phone it is a sheet. */
const wideStyle =
  "dialog wide max-w-160 [scroll-padding-block:1rem_6rem] max-md:w-full max-md:max-w-none max-md:mb-0 max-md:rounded-b-none";

/** The native modal dialog. Escape and the backdrop close it; focus returns. */
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
      className={wide ? wideStyle : "dialog"}
      aria-labelledby={title ? id : undefined}
      onClose={onClose}
      {...{ closedby: "any" }}
    >
      {title && (
        <h2 id={id} className="text-2xl">
          {title}
        </h2>
      )}
      {children}
    </dialog>
  );
}
