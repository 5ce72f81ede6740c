declare global {
  interface Navigator {
    /** Network Information API; not in every browser. */
    connection?: { saveData?: boolean; effectiveType?: string };
  }
}

/** Returns whether the visitor saves data, or has a connection too slow for prefetching. */
export function prefersReducedData(): boolean {
  const { saveData, effectiveType = "" } = navigator.connection ?? {};
  return saveData === true || effectiveType.endsWith("2g");
}
