import { type KeyboardEvent, useState } from "react";
import { isComposition } from "#src/lib/composition.ts";
import Minus from "~icons/lucide/minus";
import Plus from "~icons/lucide/plus";

interface StepperProps {
  label: string;
  /** Name of the form field. */
  name?: string;
  less: string;
  more: string;
  value: number;
  min?: number;
  max: number;
  onChange: (value: number) => void;
}

/** A quantity field. A typed number counts once it is within the range, and is clamped on blur. */
export function Stepper({ label, name, less, more, value, min = 1, max, onChange }: StepperProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const change = (target: number) => {
    setTyped(null);
    const next = Math.max(min, Math.min(max, target));
    if (next !== value) onChange(next);
  };
  const type = (text: string) => {
    // NFKC: Chinese keyboards may type digits in full width.
    const digits = text.normalize("NFKC").replace(/\D/g, "");
    setTyped(digits);
    const next = Number(digits);
    if (digits !== "" && next >= min && next <= max && next !== value) onChange(next);
  };
  const leave = () => {
    if (typed !== null) change(typed === "" ? value : Number(typed));
  };
  const steps: Record<string, number> = { ArrowUp: value + 1, ArrowDown: value - 1, Home: min, End: max };
  const press = (event: KeyboardEvent) => {
    if (isComposition(event.nativeEvent)) return;
    if (event.key === "Enter") leave();
    const next = steps[event.key];
    if (next === undefined || event.shiftKey) return;
    event.preventDefault();
    change(next);
  };
  // Not `disabled`, which would take the focus away at the end of the range.
  return (
    <fieldset className="inline-flex rounded-control bg-surface [box-shadow:inset_0_0_0_1.5px_var(--line-strong)]">
      <legend className="sr-only">{label}</legend>
      <button
        className="size-11 grid place-items-center hover:text-accent-ink aria-[disabled]:text-line-strong aria-[disabled]:cursor-not-allowed"
        type="button"
        aria-label={less}
        aria-disabled={value <= min || undefined}
        onClick={() => change(value - 1)}
      >
        <Minus className="icon" aria-hidden="true" />
      </button>
      <input
        className="w-12 p-0 border-0 bg-transparent text-center font-bold text-[1.125rem] leading-none font-display"
        role="spinbutton"
        name={name}
        inputMode="numeric"
        autoComplete="off"
        aria-label={label}
        aria-valuenow={value}
        aria-valuemin={min}
        aria-valuemax={max}
        value={typed ?? String(value)}
        onChange={(event) => type(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={leave}
        onKeyDown={press}
      />
      <button
        className="size-11 grid place-items-center hover:text-accent-ink aria-[disabled]:text-line-strong aria-[disabled]:cursor-not-allowed"
        type="button"
        aria-label={more}
        aria-disabled={value >= max || undefined}
        onClick={() => change(value + 1)}
      >
        <Plus className="icon" aria-hidden="true" />
      </button>
    </fieldset>
  );
}
