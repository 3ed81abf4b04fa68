/** Which port a NAT will show the next peer: some NATs show each peer another one, and count. */
import { familyOf } from '@meshwork/addresses';
import { InTurn } from '../../host/in-turn.ts';
import { textOf } from '../../stun/place-text.ts';
import type { Place } from '../../stun/xor-address.ts';
import { askEach } from './ask-each.ts';
import type { Questions } from './questions.ts';

/** The ports that follow `port`, each `step` further than the one before. */
export interface PortGuess {
  readonly address: string;
  readonly port: number;
  readonly step: number;
}

interface NextPortsOptions {
  readonly questions: Pick<Questions, 'ask'>;
  /** Where relays answer STUN beside their own port. */
  readonly places: () => Promise<readonly Place[]>;
  /** Whether the NAT shows each peer another port at all. */
  readonly isHard: () => boolean;
}

/** Two steps that agree are no chance. */
const ASKED = 3;
/** Ours: programs behind the same NAT take ports in between. */
const MAX_STEP = 16;
/** Ours: as many are tried. Those that others took in between are among them. */
const GUESSES = 32;
const FIRST_PORT = 1024;
const LAST_PORT = 65_535;
const PATIENCE = { rounds_ms: [0, 200], give_up_ms: 1000 } as const;
/** Ours: a NAT that counts, or does not, is the same in ten minutes. Places that it does not know yet are few. */
const LEARNT_MS = 600_000;
/** Ours: for how long a guess is good. What other hosts behind the same NAT send counts too. */
const KNOWN_MS = 1000;
/** Ours: NATs forget where answers came from after two minutes, most of them. Until then they show it the port that it had. */
const KEPT_MS = 150_000;

interface Known {
  readonly guess: PortGuess | undefined;
  readonly at_ms: number;
}

export class NextPorts {
  readonly #options: NextPortsOptions;
  readonly #turn = new InTurn();
  /** When each place was last asked. */
  readonly #asked = new Map<string, number>();
  #known: Known = { guess: undefined, at_ms: Number.NEGATIVE_INFINITY };
  /** How it counts, and when that was learnt. */
  #step = 0;
  #learnt_ms = Number.NEGATIVE_INFINITY;
  #notBefore_ms = Number.NEGATIVE_INFINITY;

  constructor(options: NextPortsOptions) {
    this.#options = options;
  }

  /**
   * Has the first packets sent to a peer right after the NAT was asked for its ports: what it gives next is theirs. At once where
   * there is nothing to guess. `send` gets no guess where the NAT does not count.
   */
  async before(send: (guess: PortGuess | undefined) => void): Promise<void> {
    if (!this.#options.isHard() || performance.now() < this.#notBefore_ms) {
      send(undefined);
      return;
    }
    await this.#turn.take(async () => {
      send(this.#isKnown ? this.#known.guess : await this.#observe());
    });
  }

  /** Peers that are spoken to at the same time are shown one of the ports that follow, each another one. */
  get #isKnown(): boolean {
    return performance.now() - this.#known.at_ms < KNOWN_MS;
  }

  async #observe(): Promise<PortGuess | undefined> {
    const now_ms = performance.now();
    this.#known = { guess: undefined, at_ms: now_ms };
    const isNew = (place: Place) => now_ms - (this.#asked.get(textOf(place)) ?? Number.NEGATIVE_INFINITY) > KEPT_MS;
    const places = (await this.#options.places()).filter((place) => familyOf(place.address) === 4 && isNew(place));
    const counts = now_ms - this.#learnt_ms < LEARNT_MS;
    const asked = places.slice(0, counts ? 1 : ASKED);
    if (asked.length < (counts ? 1 : ASKED)) return undefined;
    for (const place of asked) this.#asked.set(textOf(place), now_ms);
    const seen = await askEach(this.#options.questions, asked, PATIENCE);
    const guess = counts ? seen[0] && { ...seen[0], step: this.#step } : guessFrom(seen);
    const isAnswered = !seen.includes(undefined);
    if (!counts && guess === undefined && isAnswered) this.#notBefore_ms = now_ms + LEARNT_MS;
    if (!counts && guess !== undefined) [this.#step, this.#learnt_ms] = [guess.step, now_ms];
    this.#known = { guess, at_ms: performance.now() };
    return guess;
  }
}

/** Undefined: they do not count, as far as that can be seen. */
export function guessFrom(seen: readonly (Place | undefined)[]): PortGuess | undefined {
  const [first, ...others] = seen;
  let last = first;
  let step = 0;
  for (const place of others) {
    if (last === undefined || place?.address !== last.address) return undefined;
    const distance = place.port - last.port;
    const isCounting = distance !== 0 && Math.abs(distance) <= MAX_STEP && distance * step >= 0;
    if (!isCounting) return undefined;
    step = Math.sign(distance) * commonDivisor(Math.abs(step), Math.abs(distance));
    last = place;
  }
  return last === undefined || step === 0 ? undefined : { ...last, step };
}

/** The places to try, the likeliest first. */
export function guessedPlaces({ address, port, step }: PortGuess): readonly Place[] {
  return Array.from({ length: GUESSES }, (_, index) => ({ address, port: port + step * (index + 1) })).filter(
    (place) => place.port >= FIRST_PORT && place.port <= LAST_PORT,
  );
}

/** Whatever a peer says. */
export function isPortGuess(value: unknown, isEndpoint: (text: unknown) => boolean): value is PortGuess {
  if (typeof value !== 'object' || value === null) return false;
  const { address, port, step } = value as Partial<Record<keyof PortGuess, unknown>>;
  const isStep = Number.isInteger(step) && step !== 0 && Math.abs(step as number) <= MAX_STEP;
  const isPort = Number.isInteger(port) && (port as number) > 0;
  return isStep && isPort && typeof address === 'string' && familyOf(address) === 4 && isEndpoint(`${address}:${port}`);
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
