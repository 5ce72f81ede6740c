// They show one page, and each file costs a request and a line of the page.
import { OwnActivities } from "#src/features/activity/OwnActivities.tsx";
import { AddressBook } from "#src/features/address/AddressBook.tsx";
import { OwnBooking } from "#src/features/campaign/OwnBooking.tsx";
import { OwnMembership } from "#src/features/package/OwnMembership.tsx";
import { Account } from "#src/features/session/Account.tsx";
import { LogOut } from "#src/features/session/LogOut.tsx";

export { Account, AddressBook, LogOut, OwnActivities, OwnBooking, OwnMembership };
