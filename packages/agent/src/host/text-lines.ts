/** Ours: lines of the programs that are read are shorter. */
const MAX_LINE_CHARACTERS = 16 * 1024;

/** Makes lines of text that comes in pieces of any length. Of a line that is too long the end is kept. */
export class TextLines {
  #rest = '';

  /** The lines that this piece completes. */
  take(piece: string): readonly string[] {
    const lines = (this.#rest + piece).split('\n');
    this.#rest = lines.pop()?.slice(-MAX_LINE_CHARACTERS) ?? '';
    return lines;
  }

  /** Another process says what follows: what the one before it began is never completed. */
  begin(): void {
    this.#rest = '';
  }
}
