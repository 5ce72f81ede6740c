// biome-ignore-all lint/performance/noBarrelFile: a member's page has its islands in one file.
// They show one page, and each file costs a request and a line of the page.
export { OwnActivities } from "../features/activity/OwnActivities.tsx";
export { AddressBook } from "../features/address/AddressBook.tsx";
export { OwnBooking } from "../features/campaign/OwnBooking.tsx";
export { OwnMembership } from "../features/package/OwnMembership.tsx";
export { Account } from "../features/session/Account.tsx";
export { LogOut } from "../features/session/LogOut.tsx";
