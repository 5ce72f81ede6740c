type Environment = Record<string, string | undefined>;

const productVariables = /^(PUBLIC_|BUILD_)|^SITE_DIR$/;
/** Variables of Node, Astro and the system; NODE_AUTH_TOKEN is a secret of npm. */
const systemVariables =
  /^(NODE_(?!AUTH_TOKEN)|ASTRO_|LC_)|^(PATH|HOME|USER|SHELL|LANG|LANGUAGE|TZ|TMPDIR|TMP|TEMP|CI|TERM|COLUMNS|NO_COLOR|FORCE_COLOR)$/i;
const networkVariables = /^(HTTPS?_PROXY|NO_PROXY|SSL_CERT_(FILE|DIR))$/i;
const windowsVariables = /^(SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE|PROGRAMFILES)$/i;

/** Returns the variables that a build receives: hundreds of packages run in it, and none needs a secret. */
export function buildEnvironment(env: Environment): Environment {
  const allowed = [productVariables, systemVariables, networkVariables, windowsVariables];
  return Object.fromEntries(Object.entries(env).filter(([name]) => allowed.some((pattern) => pattern.test(name))));
}
