/** Scrolls to what has just been drawn, once it is painted: in the same frame, the browser would count what is above the view as shifted. */
export function scrollOnceDrawn(element: Element | null, block: ScrollLogicalPosition): void {
  requestAnimationFrame(() => setTimeout(() => element?.scrollIntoView({ block })));
}
