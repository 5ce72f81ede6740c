import { useId } from "react";

interface Choice {
  value: string;
  label: string;
  /** Why the option is unavailable; it is struck through. */
  unavailableReason?: string | undefined;
}

interface ChoicesProps {
  legend: string;
  choices: readonly Choice[];
  value: string;
  onChoose: (value: string) => void;
}

/** A choice of one option, as native radio buttons. */
export function Choices({ legend, choices, value, onChoose }: ChoicesProps) {
  const name = useId();
  return (
    <fieldset>
      <legend className="field-l">{legend}</legend>
      <div className="choices">
        {choices.map((choice) => (
          <label key={choice.value}>
            <input
              type="radio"
              name={name}
              checked={choice.value === value}
              disabled={choice.unavailableReason !== undefined}
              onChange={() => onChoose(choice.value)}
            />
            <span>
              {choice.label}
              {choice.unavailableReason && <span className="sr-only"> {choice.unavailableReason}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
