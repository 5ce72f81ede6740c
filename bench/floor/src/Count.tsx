import { useState } from "react";

/** The least that an island can be. */
export function Count() {
  const [count, setCount] = useState(0);
  return (
    <button type="button" onClick={() => setCount(count + 1)}>
      {count}
    </button>
  );
}
