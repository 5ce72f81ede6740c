/** Scrolls to a new element after its paint: in the same frame, the browser would count a layout shift. */
export function scrollOnceDrawn(element: Element | null, block: ScrollLogicalPosition): void {
  requestAnimationFrame(() => setTimeout(() => element?.scrollIntoView({ block })));
}
