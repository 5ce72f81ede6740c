import { useState } from "react";
import { CodeInput } from "../CodeInput.tsx";
import "../../lib/replay.ts";

interface CodeTryProps {
  t: Record<"code" | "codeHint" | "codeGood" | "receiverError", string>;
  /** What a code that does not match is told. */
  wrong: string;
}

/** A code to type; 000000 is the wrong one. */
export function CodeTry({ t, wrong }: CodeTryProps) {
  const [code, setCode] = useState("");
  const good = code.length === 6 && code !== "000000" ? t.codeGood.replace("{code}", code) : "";
  return (
    <div className="code-try">
      <CodeInput
        label={t.code}
        hint={good || t.codeHint}
        error={code === "000000" ? wrong : undefined}
        value={code}
        onCode={setCode}
      />
    </div>
  );
}
