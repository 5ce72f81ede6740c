import { Button } from "./Button.tsx";

interface ConfirmProps {
  /** What is done: opens the question, closes it again, and is the answer. */
  label: string;
  /** What it means. */
  body: string;
  busy: boolean;
  onConfirm: () => void;
}

/** A quiet button that shows in place what its action means, and the button that runs it. */
export function Confirm({ label, body, busy, onConfirm }: ConfirmProps) {
  return (
    <details className="text-sm">
      <summary className="button button-lg ghost cursor-pointer px-0 text-danger [--over:none]">{label}</summary>
      <p className="ways flex flex-wrap items-center gap-3 mt-3">
        <span>{body}</span>
        <Button variant="outline" busy={busy} onClick={onConfirm}>
          {label}
        </Button>
      </p>
    </details>
  );
}
