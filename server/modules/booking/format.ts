/** Formats a number of people, for operators. */
export const formatPeople = (count: number) => (count === 1 ? "1 person" : `${count} people`);

/** Formats a number of bookings, and of their people. */
export const formatBookings = (bookings: number, people: number) =>
  `${bookings === 1 ? "1 booking" : `${bookings} bookings`}, ${formatPeople(people)}`;
