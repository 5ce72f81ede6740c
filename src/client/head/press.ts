// Remembers the last button that was pressed in an island before its runtime came (`client:intent` repeats it).
const recordPress: NonNullable<Window["recordPress"]> = ({ target }) => {
  const pressed = target instanceof Element && target.closest<HTMLElement>("astro-island [type=button]");
  if (pressed) recordPress.button = pressed;
};
window.recordPress = recordPress;
addEventListener("click", recordPress, true);
