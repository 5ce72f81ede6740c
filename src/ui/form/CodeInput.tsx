import { type ComponentPropsWithRef, useId } from "react";
import { ariaProps, FieldFrame, type FieldTexts } from "./Field.tsx";

interface CodeInputProps extends FieldTexts, Omit<ComponentPropsWithRef<"input">, "value" | "onChange"> {
  value: string;
  onCode: (code: string) => void;
  /** No code has been sent yet: the boxes step back. */
  isWaiting?: boolean;
}

const positions = [0, 1, 2, 3, 4, 5];

/** The next box has a cursor. */
const cursor =
  "group-has-[:focus]:[box-shadow:inset_0_0_0_2px_var(--accent)] group-has-[:focus]:after:w-0.5 group-has-[:focus]:after:h-7 group-has-[:focus]:after:bg-accent group-has-[:focus]:after:[animation:live_1s_steps(2)_infinite]";

/** Six boxes under one real input, so that paste and the phone's "from Messages" work. */
export function CodeInput({ label, aside, value, onCode, isWaiting, hint, error, ...input }: CodeInputProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} aside={aside} hint={hint} error={error}>
      <div className="group relative [--edge:var(--line-strong)] has-[[aria-invalid]]:[--edge:var(--danger)] has-disabled:[--edge:var(--line)]">
        <div
          className="grid grid-cols-[repeat(6,1fr)] gap-2 rounded-control outline-offset-4 group-has-[:focus]:[outline:3px_solid_var(--wash)]"
          aria-hidden="true"
          translate="no"
        >
          {positions.map((position) => (
            <span
              key={position}
              className={`grid place-items-center h-15 font-bold text-[1.75rem] leading-none font-display rounded-control [box-shadow:inset_0_0_0_1.5px_var(--edge)] group-has-disabled:bg-sunken group-has-disabled:text-ink-3 ${isWaiting ? "bg-sunken group-focus-within:bg-surface" : "bg-surface"} ${position === value.length ? cursor : ""}`}
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
          // NFKC: Chinese keyboards may type digits in full width.
          onChange={(event) => onCode(event.target.value.normalize("NFKC").replace(/\D/g, "").slice(0, 6))}
          {...input}
        />
      </div>
    </FieldFrame>
  );
}
