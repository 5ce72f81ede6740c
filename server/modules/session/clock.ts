const second = 1000;

/** In ms. */
export const hour = 3600 * second;

/** Largest difference between the clocks of two processes, in ms. Rows from further ahead were written by a clock that has been set back since; they do not count. */
export const clockSkew = 60 * second;
