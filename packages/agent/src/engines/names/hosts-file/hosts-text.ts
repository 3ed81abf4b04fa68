/** The text of a hosts file with a block of ours in it. All outside the block stays as it is, byte for byte. */

export interface HostsText {
  readonly before: string;
  /** With both marks. Empty: there is none. */
  readonly block: string;
  readonly after: string;
}

const BEGIN = '# BEGIN mesh: written by the mesh agent, changes here are lost';
/** The line before had no end, and got one from us. */
const BEGIN_AFTER_OPEN_LINE = `${BEGIN} (and so is the line break above)`;
const END = '# END mesh';
/** `address name.mesh`, and maybe the short name. No other program writes such lines. */
const OUR_LINE = /^[0-9a-f.:]+ ([a-z0-9-]+)\.mesh(?: \1)?$/;

/**
 * Finds the block. One that has no end is taken to be as long as its lines look like ours, and no longer: whatever cut it
 * short, what others wrote below it is not ours. One that has no beginning, because another program wrote over it, goes up as far
 * as its lines look like ours. Of several blocks the first one is kept, and the others go.
 */
export function splitHosts(text: string): HostsText {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const spans = blocksIn(lines.map((line) => line.trimEnd()));
  const [first] = spans;
  if (first === undefined) return { before: text, block: '', after: '' };
  const isInside = (index: number) => spans.some(({ from, to }) => index >= from && index < to);
  const outside = (from: number, to: number) => lines.slice(from, to).filter((_, index) => !isInside(from + index));
  return {
    before: outside(0, first.from).join(''),
    block: lines.slice(first.from, first.to).join(''),
    after: outside(first.to, lines.length).join(''),
  };
}

interface Span {
  readonly from: number;
  /** The line after it. */
  readonly to: number;
}

function blocksIn(lines: readonly string[]): readonly Span[] {
  const begins = lines.flatMap((line, index) => (line.startsWith(BEGIN) ? [index] : []));
  const blocks = begins.map((from, index) => {
    const limit = begins[index + 1] ?? lines.length;
    const end = lines.indexOf(END, from);
    if (end !== -1 && end < limit) return { from, to: end + 1 };
    const foreign = lines.findIndex((line, at) => at > from && !OUR_LINE.test(line));
    return { from, to: foreign === -1 ? lines.length : foreign };
  });
  const ends = lines.flatMap((line, index) => (line === END ? [index] : []));
  const lone = ends.filter((end) => !blocks.some(({ from, to }) => end >= from && end < to));
  return [...blocks, ...lone.flatMap((end) => headless(lines, end))].toSorted((a, b) => a.from - b.from);
}

/** Of a block that ends here. None where no line of ours is left of it. */
function headless(lines: readonly string[], end: number): readonly Span[] {
  const above = lines.findLastIndex((line, at) => at < end && !OUR_LINE.test(line));
  const rest = lines[above] ?? '';
  const from = rest !== '' && BEGIN.endsWith(rest) ? above : above + 1; // what is left of its first line
  return above + 1 === end ? [] : [{ from, to: end + 1 }];
}

/** The whole text with these lines as the block, where it is or at the end. Without lines there is no block. */
export function joinHosts({ before, block, after }: HostsText, lines: readonly string[]): string {
  const added = block.startsWith(BEGIN_AFTER_OPEN_LINE);
  // Only at the end of the file: lines that came below must not run into the one above.
  if (lines.length === 0) return added && after === '' ? before.replace(/\r?\n$/, '') : before + after;
  const lineEnd = /\r\n/.test(before) || /\r\n/.test(after) ? '\r\n' : '\n';
  const open = before !== '' && !before.endsWith('\n');
  const begin = open || added ? BEGIN_AFTER_OPEN_LINE : BEGIN;
  const written = [begin, ...lines, END].map((line) => line + lineEnd).join('');
  return before + (open ? lineEnd : '') + written + after;
}

/** All that a line outside the block has an address for, in small letters. */
export function namesOutside({ before, after }: HostsText): ReadonlySet<string> {
  const lines = `${before}\n${after}`.toLowerCase().split('\n');
  return new Set(lines.flatMap((line) => line.replace(/#.*/, '').trim().split(/\s+/).slice(1)));
}
