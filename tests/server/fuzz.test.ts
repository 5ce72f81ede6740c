// @module-tag full
// @module-tag long
import { factor } from "../support/factor.ts";
import { fuzzAll } from "../support/fuzz.ts";

fuzzAll(100 * factor);
