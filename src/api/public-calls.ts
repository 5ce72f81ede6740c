// Apart from the rows that spread them: the schemas there would bring valibot into pages that only read.
export const activityInfoCall = { method: "GET", path: "/v1/activity/info" } as const;
export const bookingInfoCall = { method: "GET", path: "/v1/booking/info" } as const;
export const getPlanCall = { method: "POST", path: "/v1/marsx/getplan" } as const;
export const goodsInfoCall = { method: "POST", path: "/v1/goods/info" } as const;
export const packageListsCall = { method: "GET", path: "/v1/memberPackage/lists" } as const;

/** The concert that the banner shows. */
export const concertId = 1001;
