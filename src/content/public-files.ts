import { type Dirent, existsSync, lstatSync, readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fixPrefixCase, locales, splitPrefix } from "#i18n/locale.ts";
import {
  apiPaths,
  errorStatuses,
  feeds,
  hashedFolders,
  matchRoute,
  revalidatedPaths,
  routes,
  sharedPaths,
  shortRedirects,
} from "#src/routes.ts";

// Files that a site serves as they are: those of every shop lie in `public/` of the software, a shop's own in `public/` of its folder.

export const publicFolder = "public";

/** Files that systems write into folders. */
const litter = /^(\.DS_Store|\._.*|Thumbs\.db|desktop\.ini)$/i;

/** Lists files and links below a folder, and follows no link. */
function listEntries(folder: string): Dirent[] {
  if (!existsSync(folder) || !lstatSync(folder).isDirectory()) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !litter.test(name))
    .flatMap((entry) => (entry.isDirectory() ? listEntries(join(folder, entry.name)) : entry));
}

const toPath = (folder: string, { parentPath, name }: Dirent) => relative(folder, join(parentPath, name)).split(sep).join("/");

/** Lists the files of a public folder, with `/`, those of folders with a dot included. */
export function listPublicFiles(folder: string): string[] {
  return listEntries(folder)
    .filter((entry) => entry.isFile())
    .map((entry) => toPath(folder, entry))
    .sort();
}

/** Returns the decoded pathnames of all files that a shop's site serves as they are. */
export const listPublicPaths = (shopFolder: string): Set<string> =>
  new Set(
    [publicFolder, join(shopFolder, publicFolder)].flatMap((folder) => listPublicFiles(folder).map((file) => `/${file}`)),
  );

/** Returns what is wrong with a shop's own public files, each as a sentence. */
export function findPublicFaults(shopFolder: string): string[] {
  const folder = join(shopFolder, publicFolder);
  if (existsSync(folder) && !lstatSync(folder).isDirectory())
    return [`${publicFolder}: must be a folder, of files that the site serves as they are, such as: public/MP_verify_1a2b.txt`];
  return listEntries(folder).flatMap((entry) => {
    const path = toPath(folder, entry);
    const fault = entry.isFile() ? findNameFault(path) : "is a link: put the file itself there";
    return fault ? [`${publicFolder}/${path}: ${fault}`] : [];
  });
}

/** Names at the top of a built site that are no pages. */
const buildNames = new Set(
  [
    ".hosting",
    ".nojekyll",
    "_headers",
    "_redirects",
    "robots.txt",
    "favicon.ico",
    "apple-touch-icon.png",
    "redirects.json",
    ...hashedFolders,
    ...[...sharedPaths, ...revalidatedPaths, ...locales.flatMap((locale) => [feeds.news(locale), feeds.calendar(locale)])].map(
      (path) => path.split("/").find(Boolean) ?? "",
    ),
    ...locales.map((locale) => `${locale}.webmanifest`),
  ].map((name) => name.toLowerCase()),
);

/** Returns why a file cannot have this path in a built site; null when it can. Disks of Macs and of Windows do not tell small letters from capitals. */
export function findNameFault(path: string): string | null {
  const name = path.toLowerCase();
  const [first = ""] = name.split("/");
  const rename = `give it another name, such as: ${publicFolder}/files/${path.split("/").at(-1)}`;
  if (/["\\\p{Cc}]/u.test(path)) return `has a character that no address carries: ${rename}`;
  if ([...apiPaths.folders, ...apiPaths.files].includes(first)) return `is an address of the server: ${rename}`;
  if (buildNames.has(first) || /^sitemap-\w+\.xml$/.test(name))
    return `is a name that the build gives to a file of its own: ${rename}`;
  if (name.endsWith(".br")) return `has the ending of compressed copies, which the build makes: ${rename}`;
  return isPagePath(`/${name}`) ? `is the address of a page: ${rename}` : null;
}

/** Returns whether a page has this path, a redirect to one, or the folder of pages. */
function isPagePath(name: string): boolean {
  const { prefix, path } = splitPrefix(fixPrefixCase(name.replace(/(?:\/index)?\.html(?:\/.*)?$/, "") || "/"));
  if (Object.hasOwn(shortRedirects, path) || errorStatuses.some((status) => path === `/${status}`)) return true;
  // No id of a page has a dot.
  if (matchRoute(path) && !path.includes(".")) return true;
  return Object.values(routes).some((route) => route.path.startsWith(`${path}/`)) || (prefix !== "" && path === "/");
}

/** The contact of who finds a weakness of a site (RFC 9116). */
const securityFile = ".well-known/security.txt";

/** Returns advice on what a shop's own public files lack. */
export function adviseOnPublicFiles(shopFolder: string): string[] {
  if (listPublicFiles(join(shopFolder, publicFolder)).includes(securityFile)) return [];
  return [
    `${publicFolder}/${securityFile}: is missing: who finds a weakness of the site reads the demo's address there, such as: Contact: mailto:security@shop.example and Expires: 2027-11-30T00:00:00Z`,
  ];
}
