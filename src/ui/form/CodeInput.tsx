import { type ComponentPropsWithRef, useId } from "react";
import { ariaProps, FieldFrame, type FieldTexts } from "./FieldFrame.tsx";

interface CodeInputProps extends FieldTexts, Omit<ComponentPropsWithRef<"input">, "value" | "onChange"> {
  value: string;
  onCode: (code: string) => void;
}

const positions = [0, 1, 2, 3, 4, 5];

/** Six boxes under one real input, so that paste and the phone's "from Messages" work. */
export function CodeInput({ label, aside, value, onCode, hint, error, ...input }: CodeInputProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} aside={aside} hint={hint} error={error}>
      <div className="relative">
        <div className="otp grid grid-cols-[repeat(6,1fr)] gap-2" aria-hidden="true">
          {positions.map((position) => (
            <span
              key={position}
              className={`grid place-items-center h-15 font-bold text-[1.75rem] leading-none font-display bg-surface rounded-control ${position === value.length ? "cur" : ""}`}
            >
              {value[position]}
            </span>
          ))}
        </div>
        <input
          className="absolute inset-0 w-full opacity-0"
          {...ariaProps(id, { hint, error })}
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="[0-9]*"
          value={value}
          onChange={(event) => onCode(event.target.value.replace(/\D/g, "").slice(0, 6))}
          {...input}
        />
      </div>
    </FieldFrame>
  );
}
