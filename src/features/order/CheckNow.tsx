import { useState } from "react";
import { Button } from "../../ui/Button.tsx";

interface CheckNowProps {
  check: () => Promise<void>;
  label: string;
  /** What is said when the check has changed nothing. */
  answer: string;
  variant: "outline" | "link";
}

/** For whoever has paid and does not want to wait for the next check. */
export function CheckNow({ check, label, answer, variant }: CheckNowProps) {
  const [asked, setAsked] = useState<"" | "asking" | "answered">("");
  async function checkNow() {
    setAsked("asking");
    await check();
    setAsked("answered");
  }
  return (
    <p className="ask-now">
      <Button variant={variant} busy={asked === "asking"} onClick={checkNow}>
        {label}
      </Button>
      <span role="status">{asked === "answered" && answer}</span>
    </p>
  );
}
