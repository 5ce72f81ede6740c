import { useRef, useState } from "react";
import Check from "~icons/lucide/check";
import Copy from "~icons/lucide/copy";

export interface CopyTexts {
  copy: string;
  copied: string;
  /** Status when the browser denies copying: the text is selected instead. */
  selected: string;
}

/** A text with a copy button. */
export function CopyText({ text, what, t }: { text: string; what: string; t: CopyTexts }) {
  const shown = useRef<HTMLSpanElement>(null);
  const [status, setStatus] = useState("");
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setStatus(t.copied);
    } catch {
      if (shown.current) getSelection()?.selectAllChildren(shown.current);
      setStatus(t.selected);
    }
  }
  const Icon = status === t.copied ? Check : Copy;
  return (
    <span className="copy inline-flex flex-wrap items-center gap-x-1 wrap-anywhere">
      <span ref={shown}>{text}</span>
      <button type="button" className="icon-button" aria-label={`${t.copy} ${what}`} onClick={copy}>
        <Icon className="icon size-5.5" aria-hidden="true" />
      </button>
      <small className="font-normal text-xs leading-normal font-sans" role="status">
        {status}
      </small>
    </span>
  );
}
