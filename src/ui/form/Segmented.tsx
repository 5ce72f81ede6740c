interface SegmentedProps<Value extends string> {
  label: string;
  options: readonly { value: Value; label: string }[];
  value: Value;
  onChoose: (value: Value) => void;
}

/** A few exclusive toggle buttons. */
export function Segmented<Value extends string>({ label, options, value, onChoose }: SegmentedProps<Value>) {
  return (
    <fieldset className="segmented" aria-label={label}>
      {options.map((option) => (
        <button key={option.value} type="button" aria-pressed={option.value === value} onClick={() => onChoose(option.value)}>
          {option.label}
        </button>
      ))}
    </fieldset>
  );
}
