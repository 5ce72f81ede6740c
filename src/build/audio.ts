import { readAudio } from "#src/content/audio/inspect.ts";
import { writeInto } from "./files.ts";

/** Writes the audio of a shop with these addresses into a site. */
export async function writeAudio(dist: string, urls: Iterable<string>, cache: string): Promise<void> {
  for (const url of new Set(urls)) {
    const file = await readAudio(url, cache);
    if (!file) throw new Error(`${url} is no audio of the shop any more: build again`);
    await writeInto(dist, url, file);
  }
}
