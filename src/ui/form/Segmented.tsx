interface SegmentedProps<Value extends string> {
  label: string;
  options: readonly { value: Value; label: string }[];
  value: Value;
  onChoose: (value: Value) => void;
}

/** A few exclusive toggle buttons. */
export function Segmented<Value extends string>({ label, options, value, onChoose }: SegmentedProps<Value>) {
  return (
    <fieldset
      className="seg inline-flex flex-wrap justify-self-start min-w-0 bg-sunken p-[3px] rounded-control"
      aria-label={label}
    >
      {options.map((option) => (
        <button
          className="min-h-10 px-3.5 font-semibold text-sm rounded-[3px] flex items-center gap-1.5"
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChoose(option.value)}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  );
}
