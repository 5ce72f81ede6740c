import type { APIRoute } from "astro";
import { springHeadline } from "../features/campaign/spring-headline.ts";

/** The campaign's four characters in a row, as a picture of its own: pages that only point to the campaign need not carry them. */
export const GET: APIRoute = () => {
  const drawn = springHeadline.map((d, index) => `<path transform="translate(${index * 600} 524)" d="${d}"/>`).join("");
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2400 600" width="2400" height="600" fill="#0c1210">${drawn}</svg>`;
  return new Response(svg, { headers: { "content-type": "image/svg+xml" } });
};
