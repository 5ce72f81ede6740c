import { useState } from "react";
import { CodeInput } from "../form/CodeInput.tsx";
import "../../lib/replay-interactions.ts";

interface CodeInputDemoProps {
  t: Record<"code" | "codeHint" | "codeGood" | "receiverError", string>;
  /** Error of a wrong code. */
  wrong: string;
}

/** A code input; 000000 is the wrong code. */
export function CodeInputDemo({ t, wrong }: CodeInputDemoProps) {
  const [code, setCode] = useState("");
  const success = code.length === 6 && code !== "000000" ? t.codeGood.replace("{code}", code) : "";
  return (
    <div className="code-try">
      <CodeInput
        label={t.code}
        hint={success || t.codeHint}
        error={code === "000000" ? wrong : undefined}
        value={code}
        onCode={setCode}
      />
    </div>
  );
}
