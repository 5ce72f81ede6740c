import icons from "unplugin-icons/vite";
import type { Plugin } from "vite";

// As the icon set writes it, as React does, and inside a string.
const defaultAttributes = / (?:fill=\\?"none\\?"|stroke(?:-?\w+)?=\\?"(?:currentColor|round|2)\\?"|strokeWidth=\{2\})/gi;

/** Icons of the set as components that take attributes and nothing else. Colour, strokes and size are those of `.i` in base.css, so that they need not stand in every icon of every page. */
export function iconAttributes(): Plugin[] {
  const plain: Plugin = {
    name: "plain-icons",
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
