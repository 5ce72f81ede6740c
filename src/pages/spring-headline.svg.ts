import type { APIRoute } from "astro";
import { springHeadline } from "../features/campaign/spring-headline.ts";

/** Serves the campaign's four characters in a row as one file: pages that link to the campaign need not inline them. */
export const GET: APIRoute = () => {
  const paths = springHeadline.map((d, index) => `<path transform="translate(${index * 600} 524)" d="${d}"/>`).join("");
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2400 600" width="2400" height="600" fill="#0c1210">${paths}</svg>`;
  return new Response(svg, { headers: { "content-type": "image/svg+xml" } });
};
