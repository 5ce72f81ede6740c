import icons from "unplugin-icons/vite";
import type { Plugin } from "vite";

// As HTML, JSX or a string literal.
const defaultAttributes = / (?:fill=\\?"none\\?"|stroke(?:-?\w+)?=\\?"(?:currentColor|round|2)\\?"|strokeWidth=\{2\})/gi;

/** Compiles icons to components that accept attributes. Removes colour, stroke and size, which `.icon` in base.css sets once. */
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
