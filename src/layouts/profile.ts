// They show one page, and each file costs a request and a line of the page.
import { OwnActivities } from "../features/activity/OwnActivities.tsx";
import { AddressBook } from "../features/address/AddressBook.tsx";
import { OwnBooking } from "../features/campaign/OwnBooking.tsx";
import { OwnMembership } from "../features/package/OwnMembership.tsx";
import { Account } from "../features/session/Account.tsx";
import { LogOut } from "../features/session/LogOut.tsx";

export { Account, AddressBook, LogOut, OwnActivities, OwnBooking, OwnMembership };
