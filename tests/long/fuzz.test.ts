import { fuzzAll } from "../support/fuzz.ts";

// More than 10,000 requests over all 27 calls, on each engine.
fuzzAll(400);
