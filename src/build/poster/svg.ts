import type { Inks } from "./ink.ts";

/** What stands on a sheet in one language. */
export interface Words {
  title: readonly string[];
  /** `03.20` */
  date?: string;
  by?: string;
  at?: string;
}

/** All that a motif needs to know to draw one sheet. */
interface Brief {
  width: number;
  height: number;
  rand: () => number;
  ink: Inks;
  /** Absent on a sheet without type. */
  words?: Words | undefined;
  chinese: boolean;
  /** Which of its forms, for motifs that have several. */
  form: number;
}

export type Draw = (brief: Brief) => string;

export const round = Math.round;

/** A coordinate with at most one digit behind the point. */
export function short(value: number): number {
  return Math.round(value * 10) / 10;
}

/** `0` to `count - 1` */
export function count(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}

/** Draws something for each number from 0 on. */
export function repeat(length: number, draw: (index: number) => string): string {
  return count(length).map(draw).join("");
}

export function rect(x: number, y: number, width: number, height: number): string {
  return `M${round(x)} ${round(y)}h${round(width)}v${round(height)}H${round(x)}z`;
}

/** A dot for a path whose line ends are round. */
export function dot(x: number, y: number): string {
  return `M${round(x)} ${round(y)}h0`;
}

export function polygon(...points: (readonly [x: number, y: number])[]): string {
  return `M${points.map(([x, y]) => `${round(x)} ${round(y)}`).join("L")}z`;
}

export function fill(color: string, d: string, more = ""): string {
  return `<path fill="${color}"${more} d="${d}"/>`;
}

export function line(color: string, width: number, d: string, more = ""): string {
  return `<path fill="none" stroke="${color}" stroke-width="${width}"${more} d="${d}"/>`;
}

export function circle(x: number, y: number, radius: number, color: string): string {
  return `<circle cx="${short(x)}" cy="${short(y)}" r="${short(radius)}" fill="${color}"/>`;
}

/** Printed over what is under it, as inks are. */
export function overprint(body: string): string {
  return `<g style="mix-blend-mode:multiply">${body}</g>`;
}

/** The sheet itself. Its size is written on it, so that a picture has its place before it is there. */
export function sheet({ width, height }: { width: number; height: number }, ground: string, body: string): string {
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${fill(ground, rect(0, 0, width, height))}${body}</svg>`;
}
