import { getCollection } from "astro:content";
import type { APIRoute } from "astro";
import { toRedirects } from "#src/layouts/redirects.ts";

const kinds = ["event", "news", "goods", "package", "campaign"] as const;

/** Serves the old addresses of renamed entries in development. After a build, they stand in the rules for hosts instead. */
export const GET: APIRoute = async () => {
  const renamed = kinds.map(async (kind) => {
    const entries = (await getCollection(kind)).map(({ id, data }) => ({
      id: id.split("/")[0] ?? "",
      aliases: data.aliases ?? [],
    }));
    return entries.map((entry) => ({ kind, ...entry }));
  });
  return Response.json(toRedirects((await Promise.all(renamed)).flat()));
};
