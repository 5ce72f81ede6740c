import { defineCollection } from "astro:content";
import { z } from "astro/zod";
import { createShopLoader } from "./content/loader.ts";
import type { AboutData, CampaignData, EventData, GoodsData, NewsData, PackageData, SiteData } from "./content/shop.ts";

// The loader has checked and converted the data: the schemas give them their types.
export const collections = {
  site: defineCollection({ loader: createShopLoader("site"), schema: z.custom<SiteData>() }),
  event: defineCollection({ loader: createShopLoader("event"), schema: z.custom<EventData>() }),
  news: defineCollection({ loader: createShopLoader("news"), schema: z.custom<NewsData>() }),
  goods: defineCollection({ loader: createShopLoader("goods"), schema: z.custom<GoodsData>() }),
  package: defineCollection({ loader: createShopLoader("package"), schema: z.custom<PackageData>() }),
  campaign: defineCollection({ loader: createShopLoader("campaign"), schema: z.custom<CampaignData>() }),
  about: defineCollection({ loader: createShopLoader("about"), schema: z.custom<AboutData>() }),
};
