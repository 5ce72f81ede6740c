import { type ReactNode, useRef, useState } from "react";
import Check from "~icons/lucide/check";
import Copy from "~icons/lucide/copy";

interface CopyTexts {
  copy: string;
  copied: string;
  /** Status when the browser denies copying: the text is selected instead. */
  selected: string;
}

interface CopyTextProps {
  text: string;
  what: string;
  t: CopyTexts;
  /** The text as it is shown, such as in two lines. */
  children?: ReactNode;
}

/** A text with a copy button. */
export function CopyText({ text, what, t, children = text }: CopyTextProps) {
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
    <span className="[font:600_1em/1.5_var(--font-display)] inline-flex flex-wrap items-center gap-x-1 wrap-anywhere">
      <span className="inline-flex items-center gap-x-1">
        <span className="min-w-0" ref={shown} translate="no">
          {children}
        </span>
        <button type="button" className="icon-button -my-2.5" aria-label={`${t.copy} ${what}`} onClick={copy}>
          <Icon className="icon size-5.5" aria-hidden="true" />
        </button>
      </span>
      <small className="font-normal text-xs leading-normal font-sans" role="status">
        {status}
      </small>
    </span>
  );
}

/** A long number in groups of four, as people read it; copied and found as one word. */
export function GroupedNumber({ text }: { text: string }) {
  return Array.from(text.matchAll(/^\D?.{4}|.{1,4}/g), ({ 0: group, index }) => (
    <span className="inline-block not-last:mr-[0.3em]" key={index}>
      {group}
    </span>
  ));
}
