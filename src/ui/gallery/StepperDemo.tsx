import { useState } from "react";
import { Choices } from "../form/Choices.tsx";
import { Stepper } from "../form/Stepper.tsx";
import "../../lib/replay-interactions.ts";

interface StepperDemoProps {
  t: Record<"size" | "soldOut" | "quantity" | "less" | "more", string>;
}

/** A choice and a quantity. */
export function StepperDemo({ t }: StepperDemoProps) {
  const [size, setSize] = useState("S");
  const [quantity, setQuantity] = useState(1);
  const choices = [
    { value: "S", label: "S" },
    { value: "M", label: "M" },
    { value: "L", label: "L", unavailableReason: t.soldOut },
    { value: "XL", label: "XL" },
  ];
  return (
    <div className="rw top-al">
      <Choices legend={t.size} choices={choices} value={size} onChoose={setSize} />
      <div>
        <p className="field-l" aria-hidden="true">
          {t.quantity}
        </p>
        <Stepper label={t.quantity} less={t.less} more={t.more} value={quantity} max={5} onChange={setQuantity} />
      </div>
    </div>
  );
}
