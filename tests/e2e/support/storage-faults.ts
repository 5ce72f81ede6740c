/** Ways in which browser storage fails. Each runs in the page before its own scripts. */
export const storageFaults = {
  denied: () => {
    for (const name of ["localStorage", "sessionStorage"])
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException("denied", "SecurityError");
        },
      });
    Object.defineProperty(document, "cookie", { get: () => "", set: () => {} });
  },
  full: () => {
    Storage.prototype.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  },
  corrupt: () => {
    if (sessionStorage.getItem("damaged")) return;
    sessionStorage.setItem("damaged", "once");
    const all = ["TOKEN", "USER_INFO", "USER_TOKEN", "CHAT_TOKEN", "COLOR_MODE", "no such key"];
    for (const [index, key] of all.entries())
      localStorage.setItem(key, ["{", "null", "[1", '{"id":{}}', "purple", "\u0000"][index] ?? "");
  },
};
