import { bars, formatClock } from "#src/lib/waveform.ts";

// One `audio` element plays all pieces of a page: one at a time.

/** The piece that the element has. */
let current: HTMLElement | null = null;

/** Makes the controls of a piece whose button was pressed follow the element. */
export function follow(audio: HTMLAudioElement, piece: HTMLElement): void {
  if (!audio.src.endsWith(piece.dataset.audio ?? "")) return;
  if (!current) listen(audio);
  if (current !== piece) {
    current?.querySelector("button")?.setAttribute("aria-pressed", "false");
    current = piece;
    const slider = getSlider(piece);
    // It goes on where it was left.
    audio.currentTime = slider.value === slider.max ? 0 : slider.valueAsNumber;
    showInSession(audio, piece);
  }
  draw(audio);
}

/** Moves a piece to where its slider stands; one that is not played begins there. */
export function seek(audio: HTMLAudioElement | undefined, piece: HTMLElement): void {
  const { valueAsNumber } = getSlider(piece);
  if (audio && piece === current) audio.currentTime = valueAsNumber;
  drawPosition(piece, valueAsNumber);
}

function getSlider(piece: HTMLElement): HTMLInputElement {
  const slider = piece.querySelector("input");
  if (!slider) throw new Error("A piece has no slider");
  return slider;
}

function listen(audio: HTMLAudioElement): void {
  for (const type of ["play", "pause", "timeupdate", "playing", "error"]) audio.addEventListener(type, () => draw(audio));
  audio.addEventListener("ended", () => {
    audio.currentTime = 0;
  });
  // A page that comes back from the browser's memory is silent.
  addEventListener("pagehide", () => audio.pause());
}

function draw(audio: HTMLAudioElement): void {
  if (!current) return;
  current.querySelector("button")?.setAttribute("aria-pressed", String(!audio.paused && !audio.error));
  const message = current.querySelector<HTMLElement>("[data-failed]");
  const text = audio.error ? (message?.dataset.failed ?? "") : "";
  if (message && message.textContent !== text) message.textContent = text;
  if (audio.readyState > 0) drawPosition(current, audio.currentTime);
}

function drawPosition(piece: HTMLElement, seconds: number): void {
  const slider = getSlider(piece);
  slider.value = String(seconds);
  slider.setAttribute("aria-valuetext", formatClock(seconds));
  const time = piece.querySelector("[data-time]");
  if (time) time.textContent = formatClock(seconds);
  const played = bars * Math.min(1, seconds / Number(slider.max));
  piece.querySelector("[data-played]")?.setAttribute("width", played.toFixed(1));
}

/** Shows the piece on the phone's lock screen and beside the keyboard's media keys. */
function showInSession(audio: HTMLAudioElement, piece: HTMLElement): void {
  const { mediaSession }: { mediaSession?: MediaSession } = navigator;
  if (!mediaSession) return;
  const { artist = "", cover = "" } = piece.closest<HTMLElement>("[data-artist]")?.dataset ?? {};
  mediaSession.metadata = new MediaMetadata({ title: piece.dataset.title ?? "", artist, artwork: [{ src: cover }] });
  const jump = (seconds: number) => {
    audio.currentTime = Math.max(0, seconds);
  };
  mediaSession.setActionHandler("seekto", ({ seekTime }) => jump(seekTime ?? 0));
  mediaSession.setActionHandler("seekbackward", ({ seekOffset }) => jump(audio.currentTime - (seekOffset || 5)));
  mediaSession.setActionHandler("seekforward", ({ seekOffset }) => jump(audio.currentTime + (seekOffset || 5)));
}
