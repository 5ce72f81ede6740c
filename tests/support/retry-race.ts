/** Runs an unguarded race until it is lost, at most twenty times. Returns whether it was. */
export async function isEverLost(race: () => Promise<boolean>): Promise<boolean> {
  for (let round = 0; round < 20; round += 1) if (await race()) return true;
  return false;
}
