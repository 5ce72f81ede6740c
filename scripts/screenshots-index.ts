export interface Picture {
  page: string;
  /** `375-dark-zh`: width, mode and language. */
  variant: string;
  /** File name, relative to the index. */
  file: string;
  /** File name of the design's picture, if any. */
  design: string | null;
}

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function figure({ variant, file, design }: Picture): string {
  const image = (src: string, alt: string) =>
    `<figure><a href="${escapeHtml(src)}"><img src="${escapeHtml(src)}" alt="" loading="lazy"></a><figcaption>${escapeHtml(alt)}</figcaption></figure>`;
  return image(file, variant) + (design ? image(design, `${variant}, design`) : "");
}

/** Renders an HTML page of all pictures, each beside the design's. */
export function renderIndex(pictures: Picture[]): string {
  const pages = [...new Set(pictures.map(({ page }) => page))];
  const sections = pages.map((page) => {
    const figures = pictures.filter((picture) => picture.page === page).map(figure);
    return `<section id="${escapeHtml(page)}"><h2>${escapeHtml(page)}</h2><div>${figures.join("")}</div></section>`;
  });
  const links = pages.map((page) => `<a href="#${escapeHtml(page)}">${escapeHtml(page)}</a>`);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Pictures</title>
<style>body{font:14px system-ui;margin:0;padding:16px;background:#777}nav{position:sticky;top:0;background:#fff;padding:8px;display:flex;flex-wrap:wrap;gap:12px}
section>div{display:flex;gap:12px;overflow-x:auto;align-items:flex-start}figure{margin:0;flex:none}img{display:block;height:80vh;width:auto}</style>
<nav>${links.join("")}</nav>${sections.join("\n")}</html>
`;
}
