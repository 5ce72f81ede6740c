import { setFlagsFromString } from "node:v8";

// V8's young generation grows to about 100 MB while modules load and never shrinks: importing this file caps it during start-up.
setFlagsFromString("--max-semi-space-size=8");
setFlagsFromString("--semi-space-growth-factor=1");

/** Lets the young generation grow to 8 MB, once all modules are loaded. */
export function raiseYoungGenerationLimit(): void {
  setFlagsFromString("--semi-space-growth-factor=2");
}
