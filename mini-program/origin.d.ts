/** The server's origin, which `npm run mini-program` puts in its place. */
declare const ORIGIN: string;
