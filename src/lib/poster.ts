/** Width and height in pixels, as in the SVG. */
export type PosterSize = readonly [width: number, height: number];

const sizes = new Map<string, PosterSize>([
  ["e-", [600, 800]],
  ["n-", [900, 600]],
  ["g-", [600, 600]],
  ["m-", [400, 640]],
  ["e-spring-art", [600, 676]],
]);

/** Returns the size of the poster of an event (e-), news (n-), goods (g-) or package (m-). Throws on any other name. */
export function posterSize(name: string): PosterSize {
  const size = sizes.get(name) ?? sizes.get(name.slice(0, 2));
  if (!size) throw new Error(`"${name}" is no poster: names begin with e-, n-, g- or m-`);
  return size;
}

/** Returns a poster's URL: `/posters/e-echo.svg`, or `/posters/en-US/e-echo.svg` with its English title. */
export function posterUrl(name: string, locale: string): string {
  return locale === "en-US" ? `/posters/en-US/${name}.svg` : `/posters/${name}.svg`;
}

/** Returns the poster's URL in a language; any other picture's URL stays as it is. */
export function pictureUrl(url: string, locale: string): string {
  const name = /^\/posters\/(?:en-US\/)?([\w-]+)\.svg$/.exec(url)?.[1];
  return name ? posterUrl(name, locale) : url;
}

const parcels = 12;

/** Returns the poster of goods without a picture; one uid always gets the same poster. */
export function fallbackPoster(uid: string): string {
  let sum = 2166136261;
  for (let index = 0; index < uid.length; index++) sum = Math.imul(sum ^ uid.charCodeAt(index), 16777619);
  return `g-parcel-${(sum >>> 0) % parcels}`;
}
