import { extname } from "node:path";

export type Format = "jpeg" | "png" | "webp" | "avif" | "svg";

const endings: Record<string, Format> = {
  ".jpg": "jpeg",
  ".jpeg": "jpeg",
  ".png": "png",
  ".webp": "webp",
  ".avif": "avif",
  ".svg": "svg",
};
const names: Record<Format, string> = { jpeg: "JPEG", png: "PNG", webp: "WebP", avif: "AVIF", svg: "SVG" };
const example = "such as cover.jpg";

/** What the first bytes of a file say it is. */
function detectFormat(bytes: Buffer): Format | "heic" | "gif" | "tiff" | "bmp" | "gzip" | "utf-16" | null {
  const latin = bytes.toString("latin1", 0, 64);
  if (latin.startsWith("\xff\xd8\xff")) return "jpeg";
  if (latin.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (latin.startsWith("RIFF") && latin.startsWith("WEBP", 8)) return "webp";
  // Brands of an ISO media file: its own, then those that it is compatible with.
  if (latin.startsWith("ftyp", 4))
    return /avi[fs]/.test(latin) ? "avif" : /hei[cfmsxv]|hev[cmsx]|mif1|msf1/.test(latin) ? "heic" : null;
  if (/^GIF8[79]a/.test(latin)) return "gif";
  if (/^(II\*\0|MM\0\*)/.test(latin)) return "tiff";
  if (latin.startsWith("BM") && bytes.length > 26) return "bmp";
  if (latin.startsWith("\x1f\x8b")) return "gzip";
  if (/^(\xff\xfe|\xfe\xff|<\0|\0<)/.test(latin)) return "utf-16";
  return /^(\xef\xbb\xbf)?\s*</.test(latin) ? "svg" : null;
}

/** Returns the format of a picture, or why it has none that browsers show. */
export function readFormat(path: string, bytes: Buffer): Format | { fault: string } {
  const ending = extname(path);
  const expected = endings[ending.toLowerCase()];
  if (bytes.length === 0) return { fault: "is empty (0 bytes): copy the picture again" };
  const found = detectFormat(bytes);
  if (found === "heic" || (!expected && /^\.hei[cf]$/i.test(ending)))
    return {
      fault: `is a HEIC picture, which most browsers do not show: export it as JPEG ("Preview > File > Export… > JPEG" on a Mac; an iPhone takes JPEG with "Settings > Camera > Formats > Most Compatible"), ${example}`,
    };
  if (found === "gif" || found === "tiff" || found === "bmp")
    return { fault: `is a ${found.toUpperCase()} picture: export it as JPEG, PNG, WebP, AVIF or SVG, ${example}` };
  if (found === "gzip") return { fault: "is compressed (SVGZ): save it as plain SVG, such as mark.svg" };
  if (found === "utf-16") return { fault: "is text in UTF-16: save the SVG as UTF-8" };
  if (!found)
    return {
      fault: `is no picture${expected ? ", whatever its name ends in" : ""}: a picture is a JPEG, PNG, WebP, AVIF or SVG file, ${example}`,
    };
  if (found === "svg" && expected && expected !== "svg")
    return { fault: `is text and no ${names[expected]} picture: export the picture again, ${example}` };
  if (found !== expected)
    return { fault: `is a ${names[found]} picture with another ending: rename it to end in ${toEnding(found)}` };
  return found;
}

/** Returns whether a picture moves: it has a chunk that says so, before its first pixels. */
export function isAnimated(format: Format, bytes: Buffer): boolean {
  if (format === "webp") return bytes.toString("latin1", 12, 16) === "VP8X" && ((bytes[20] ?? 0) & 0b10) > 0;
  if (format === "avif") return bytes.toString("latin1", 8, 12) === "avis";
  const start = format === "png" ? bytes.indexOf("acTL") : -1;
  return start > 0 && start < bytes.indexOf("IDAT");
}

const toEnding = (format: Format) => (format === "jpeg" ? ".jpg" : `.${format}`);
