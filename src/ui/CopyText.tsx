import { useRef, useState } from "react";
import Check from "~icons/lucide/check";
import Copy from "~icons/lucide/copy";

export interface CopyTexts {
  copy: string;
  copied: string;
  /** The browser does not let us: the text is selected, and the rest is the visitor's. */
  selected: string;
}

/** A text that is often needed elsewhere, with a button that copies it. */
export function CopyText({ text, what, t }: { text: string; what: string; t: CopyTexts }) {
  const shown = useRef<HTMLSpanElement>(null);
  const [said, setSaid] = useState("");
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setSaid(t.copied);
    } catch {
      if (shown.current) getSelection()?.selectAllChildren(shown.current);
      setSaid(t.selected);
    }
  }
  const Icon = said === t.copied ? Check : Copy;
  return (
    <span className="copy">
      <span ref={shown}>{text}</span>
      <button type="button" className="ib" aria-label={`${t.copy} ${what}`} onClick={copy}>
        <Icon className="i" aria-hidden="true" />
      </button>
      <small role="status">{said}</small>
    </span>
  );
}
