/** What tests ask of a node. */
export interface GraphNode {
  "@type"?: string;
  itemListElement?: { url?: string }[];
}

/** Returns the nodes of a page's structured data; none without it. */
export function readGraph(html: string): GraphNode[] {
  const tag = '<script type="application/ld+json">';
  const start = html.indexOf(tag);
  return start < 0 ? [] : JSON.parse(html.slice(start + tag.length, html.indexOf("</script>", start)))["@graph"];
}
