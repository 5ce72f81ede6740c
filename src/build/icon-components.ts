// Vite plugins that compile icons to components that accept attributes, without the colour, stroke and size that `.icon` in base.css sets.

import icons from "unplugin-icons/vite";
import type { Plugin } from "vite";

// Icons are HTML, JSX or a string literal, depending on the import.
const defaultAttributes = / (?:fill=\\?"none\\?"|stroke(?:-?\w+)?=\\?"(?:currentColor|round|2)\\?"|strokeWidth=\{2\})/gi;

export function iconComponents(): Plugin[] {
  const plain: Plugin = {
    name: "icon-attributes",
    enforce: "pre",
    transform: (code, id) => (id.startsWith("~icons/") ? { code: code.replace(defaultAttributes, ""), map: null } : null),
  };
  return [
    icons({
      compiler: {
        extension: "jsx",
        compiler: (svg) => `export default (props) => ${svg.replace(">", " {...props}>")};`,
      },
      iconCustomizer: (_, __, attributes) => {
        attributes.width = "unset";
      },
    }),
    plain,
  ].flat();
}
