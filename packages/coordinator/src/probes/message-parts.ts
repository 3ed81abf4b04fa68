import { randomUUID } from 'node:crypto';

/** Ours: characters of a text in one part. With its frame, and with every character escaped and of several bytes, it is a message. */
const PART_CHARACTERS = 1_200;
/** Ours: a probe with all that a WAF policy may have, and its request. */
const MOST_PARTS = 512;
/** Ours: texts that are not whole. The oldest is given up for a newer one: its probe goes without an answer. */
const MOST_TEXTS = 32;

export interface MessagePart {
  readonly about: 'part';
  readonly of: string;
  readonly place: number;
  readonly count: number;
  readonly text: string;
}

/** A text in parts that are each a message. Undefined: it is too long for that too. */
export function partsOf(text: string): readonly MessagePart[] | undefined {
  const count = Math.ceil(text.length / PART_CHARACTERS);
  if (count > MOST_PARTS) return undefined;
  const of = randomUUID();
  return Array.from({ length: count }, (_, place) => {
    const from = place * PART_CHARACTERS;
    return { about: 'part', of, place, count, text: text.slice(from, from + PART_CHARACTERS) };
  });
}

/** Puts texts together of which parts come, in any order and mixed with those of others. */
export class PartedTexts {
  readonly #texts = new Map<string, Map<number, string>>();

  /** The text, with its last part. */
  take({ of, place, count, text }: MessagePart): string | undefined {
    const parts = this.#texts.get(of) ?? new Map<number, string>();
    if (count > MOST_PARTS || place >= count) return undefined;
    parts.set(place, text);
    this.#texts.set(of, parts);
    if (parts.size < count) {
      const [oldest] = this.#texts.keys();
      if (this.#texts.size > MOST_TEXTS && oldest !== undefined) this.#texts.delete(oldest);
      return undefined;
    }
    this.#texts.delete(of);
    return Array.from({ length: count }, (_, index) => parts.get(index) ?? '').join('');
  }
}
