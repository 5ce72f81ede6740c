/** Multiplies the sizes of races, crashes, floods and fuzzing; `npm run test:long` sets it to 10. */
export const factor = Number(process.env.TEST_FACTOR ?? 1);
