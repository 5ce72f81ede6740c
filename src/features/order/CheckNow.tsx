import { useState } from "react";
import { Button } from "../../ui/Button.tsx";

interface CheckNowProps {
  check: () => Promise<void>;
  label: string;
  /** The text shown after a check that changed nothing. */
  unchanged: string;
  variant: "outline" | "link";
}

/** A button that checks the payment at once instead of waiting for the next poll. */
export function CheckNow({ check, label, unchanged, variant }: CheckNowProps) {
  const [state, setState] = useState<"idle" | "checking" | "done">("idle");
  async function checkNow() {
    setState("checking");
    await check();
    setState("done");
  }
  return (
    <p className="ask-now">
      <Button variant={variant} busy={state === "checking"} onClick={checkNow}>
        {label}
      </Button>
      <span role="status">{state === "done" && unchanged}</span>
    </p>
  );
}
