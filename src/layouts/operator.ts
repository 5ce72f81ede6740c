// Who runs the site, by the build's variables; what is not set is not shown.

export interface Named {
  text: string;
  /** Null where the text leads nowhere. */
  href: string | null;
}

/** The record numbers that a site in China shows, each as a link to its register. */
export function records(env: Pick<ImportMetaEnv, "PUBLIC_ICP" | "PUBLIC_SECURITY_RECORD">): Named[] {
  const icp = env.PUBLIC_ICP?.trim() ?? "";
  const security = env.PUBLIC_SECURITY_RECORD?.trim() ?? "";
  // 京公网安备 11010502030143号: the register is asked by its digits.
  const code = security.replace(/\D/g, "");
  const register = "https://beian.mps.gov.cn/";
  return [
    { text: icp, href: "https://beian.miit.gov.cn/" },
    { text: security, href: code ? `${register}#/query/webSearch?code=${code}` : register },
  ].filter(({ text }) => text);
}

/** Where visitors write or call: a mail address, a number or a page becomes a link. Null when it is not set. */
export function contact(env: Pick<ImportMetaEnv, "PUBLIC_CONTACT">): Named | null {
  const text = env.PUBLIC_CONTACT?.trim();
  if (!text) return null;
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return { text, href: text };
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)) return { text, href: `mailto:${text}` };
  return { text, href: /^\+?[\d][\d ()-]{4,}$/.test(text) ? `tel:${text.replace(/[^\d+]/g, "")}` : null };
}
