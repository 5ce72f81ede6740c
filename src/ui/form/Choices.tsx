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
      <legend className="mb-2.5 font-semibold text-sm">{legend}</legend>
      <div className="choices flex flex-wrap gap-2">
        {choices.map((choice) => (
          <label className="relative cursor-pointer" key={choice.value}>
            <input
              className="absolute inset-0 opacity-0 cursor-[inherit]"
              type="radio"
              name={name}
              checked={choice.value === value}
              disabled={choice.unavailableReason !== undefined}
              onChange={() => onChoose(choice.value)}
            />
            <span className="grid place-items-center px-4 py-1.5 rounded-control font-semibold text-sm">
              {choice.unavailableReason ? (
                <>
                  <s className="no-underline">{choice.label}</s> <span className="sr-only">{choice.unavailableReason}</span>
                </>
              ) : (
                choice.label
              )}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
