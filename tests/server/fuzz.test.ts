import { fuzzAll } from "../support/fuzz.ts";

fuzzAll(100);
