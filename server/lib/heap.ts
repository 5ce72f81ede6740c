import { setFlagsFromString } from "node:v8";

// On a machine with much memory V8 lets the part for what is young grow to a hundred megabytes while modules load, and keeps it.
setFlagsFromString("--max-semi-space-size=8");
setFlagsFromString("--semi-space-growth-factor=1");

/** Once all is loaded, it may grow to its 8 MB. */
export function raiseHeapLimit(): void {
  setFlagsFromString("--semi-space-growth-factor=2");
}
