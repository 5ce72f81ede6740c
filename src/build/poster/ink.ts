/** The inks of the press. A sheet takes three or four of them, flat. */
export const inks = {
  ink: "#0C1210",
  paper: "#F1EFE6",
  cool: "#DFE4E9",
  slate: "#27313A",
  lit: "#2BE38E",
  green: "#00804F",
  deep: "#06301F",
  red: "#FF4527",
  blue: "#1B3BFF",
  yellow: "#FFD21A",
  pink: "#FF8DB4",
  orange: "#FF7A1F",
  sky: "#8CC8FF",
  white: "#FFFFFF",
} as const;

export type Inks = Record<keyof typeof inks, string>;
