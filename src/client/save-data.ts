declare global {
  interface Navigator {
    /** Network Information API; not in every browser. */
    connection?: { saveData?: boolean; effectiveType?: string };
  }
}

/** Whether the visitor saves data, or is on a line too slow to load anything ahead. */
export function prefersReducedData(): boolean {
  const { saveData, effectiveType = "" } = navigator.connection ?? {};
  return saveData === true || effectiveType.endsWith("2g");
}
