// @module-tag full
// @module-tag long

import { fuzzAll } from "../support/contract/fuzz.ts";
import { factor } from "../support/races/factor.ts";

fuzzAll(100 * factor);
