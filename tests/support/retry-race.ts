/** Repeats a race without its guard, at most 20 times. Returns whether it failed once. */
export async function failsOnce(runRace: () => Promise<boolean>): Promise<boolean> {
  for (let round = 0; round < 20; round += 1) if (await runRace()) return true;
  return false;
}
