/** The value that a text holds as JSON, or the text itself. */
export default function destr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
