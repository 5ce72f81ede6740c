import { type KeyboardEvent, useState } from "react";
import Minus from "~icons/lucide/minus";
import Plus from "~icons/lucide/plus";

interface StepperProps {
  label: string;
  /** As a form sends it. */
  name?: string;
  less: string;
  more: string;
  value: number;
  min?: number;
  max: number;
  onChange: (value: number) => void;
}

/** How many. What is typed counts as soon as it is within the range, and is brought into it on leaving. */
export function Stepper({ label, name, less, more, value, min = 1, max, onChange }: StepperProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const to = (wanted: number) => {
    setTyped(null);
    const next = Math.max(min, Math.min(max, wanted));
    if (next !== value) onChange(next);
  };
  const type = (text: string) => {
    const digits = text.replace(/\D/g, "");
    setTyped(digits);
    const wanted = Number(digits);
    if (digits !== "" && wanted >= min && wanted <= max && wanted !== value) onChange(wanted);
  };
  const leave = () => {
    if (typed !== null) to(typed === "" ? value : Number(typed));
  };
  const steps: Record<string, number> = { ArrowUp: value + 1, ArrowDown: value - 1, Home: min, End: max };
  const press = (event: KeyboardEvent) => {
    if (event.key === "Enter") leave();
    const wanted = steps[event.key];
    if (wanted === undefined || event.shiftKey) return;
    event.preventDefault();
    to(wanted);
  };
  // Not `disabled`: whoever presses until the end keeps the focus.
  return (
    <fieldset className="step" aria-label={label}>
      <button type="button" aria-label={less} aria-disabled={value <= min || undefined} onClick={() => to(value - 1)}>
        <Minus className="i" aria-hidden="true" />
      </button>
      <input
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
      <button type="button" aria-label={more} aria-disabled={value >= max || undefined} onClick={() => to(value + 1)}>
        <Plus className="i" aria-hidden="true" />
      </button>
    </fieldset>
  );
}
