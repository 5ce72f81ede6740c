import { fuzzAll } from "../support/fuzz.ts";

// Over all 27 calls more than 10,000, on each engine.
fuzzAll(400);
