// Method and path of the public calls that reading pages send through `fetchPublic`. The contract's rows take them from
// here; importing a row instead brings valibot to the page.

export const activityInfoPath = { method: "GET", path: "/v1/activity/info" } as const;
export const bookingCampaignPath = { method: "POST", path: "/v1/booking/campaign" } as const;
export const bookingInfoPath = { method: "GET", path: "/v1/booking/info" } as const;
export const getPlanPath = { method: "POST", path: "/v1/marsx/getplan" } as const;
export const goodsInfoPath = { method: "POST", path: "/v1/goods/info" } as const;
export const goodsListsPath = { method: "GET", path: "/v1/goods/allLists" } as const;
export const packageListsPath = { method: "GET", path: "/v1/memberPackage/lists" } as const;

/** The concert that the banner shows, and that requests without an id are about. */
export const concertId = 1001;
