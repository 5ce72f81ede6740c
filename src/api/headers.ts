/** The headers that every call of the site carries besides its content type. `token` is "" without a session. */
export function requestHeaders(token: string, locale: string): Record<string, string> {
  return { "device-type": "web", token, "Accept-Language": locale };
}
