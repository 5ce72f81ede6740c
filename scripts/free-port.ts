import getPort from "get-port";

/** Returns a port of this machine that is free, and that this process has not been given in the last 15 s. */
export const freePort = () => getPort({ host: "127.0.0.1" });
