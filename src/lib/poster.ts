/** Width and height of a sheet in pixels, which stand on the sheet too. */
export type PosterSize = readonly [width: number, height: number];

const sizes = new Map<string, PosterSize>([
  ["e-", [600, 800]],
  ["n-", [900, 600]],
  ["g-", [600, 600]],
  ["m-", [400, 640]],
  ["e-spring-art", [600, 676]],
]);

/** Of an event's, a news item's, a good's or a pass's sheet, by its name. Throws on a name of none of these kinds. */
export function posterSize(name: string): PosterSize {
  const size = sizes.get(name) ?? sizes.get(name.slice(0, 2));
  if (!size) throw new Error(`"${name}" is no poster's name: they begin with e-, n-, g- or m-`);
  return size;
}

/** Where a sheet lies: `/posters/e-echo.svg`, and `/posters/en-US/e-echo.svg` with its English title. */
export function posterUrl(name: string, locale: string): string {
  return locale === "en-US" ? `/posters/en-US/${name}.svg` : `/posters/${name}.svg`;
}

/** A picture's address in a language: one of our sheets gets that language's, any other stays as it is. */
export function pictureUrl(url: string, locale: string): string {
  const name = /^\/posters\/(?:en-US\/)?([\w-]+)\.svg$/.exec(url)?.[1];
  return name ? posterUrl(name, locale) : url;
}

const parcels = 12;

/** The sheet of a good that came without a picture. The same uid always gets the same one. */
export function fallbackPoster(uid: string): string {
  let sum = 2166136261;
  for (let index = 0; index < uid.length; index++) sum = Math.imul(sum ^ uid.charCodeAt(index), 16777619);
  return `g-parcel-${(sum >>> 0) % parcels}`;
}
