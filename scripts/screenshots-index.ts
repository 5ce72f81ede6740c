export interface Picture {
  page: string;
  /** `375-dark-zh`: width, mode and language. */
  variant: string;
  /** Beside the index. */
  file: string;
  /** The design's picture of the same, if there is one. */
  design: string | null;
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function figure({ variant, file, design }: Picture): string {
  const image = (src: string, what: string) =>
    `<figure><a href="${escaped(src)}"><img src="${escaped(src)}" alt="" loading="lazy"></a><figcaption>${escaped(what)}</figcaption></figure>`;
  return image(file, variant) + (design ? image(design, `${variant}, design`) : "");
}

/** A page to look through all pictures, each beside the design's. */
export function indexOf(pictures: Picture[]): string {
  const pages = [...new Set(pictures.map(({ page }) => page))];
  const sections = pages.map((page) => {
    const shown = pictures.filter((one) => one.page === page).map(figure);
    return `<section id="${escaped(page)}"><h2>${escaped(page)}</h2><div>${shown.join("")}</div></section>`;
  });
  const links = pages.map((page) => `<a href="#${escaped(page)}">${escaped(page)}</a>`);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Pictures</title>
<style>body{font:14px system-ui;margin:0;padding:16px;background:#777}nav{position:sticky;top:0;background:#fff;padding:8px;display:flex;flex-wrap:wrap;gap:12px}
section>div{display:flex;gap:12px;overflow-x:auto;align-items:flex-start}figure{margin:0;flex:none}img{display:block;height:80vh;width:auto}</style>
<nav>${links.join("")}</nav>${sections.join("\n")}</html>
`;
}
