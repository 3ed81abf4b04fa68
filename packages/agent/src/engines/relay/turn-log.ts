import type { RelayLoad } from '@meshwork/contract';
import { TextLines } from '../../host/text-lines.ts';

/** All but what is counted now. */
type TurnCounts = Omit<RelayLoad, 'allocations'>;

/** Ours: what coturn last complained of, for when it ends. */
const KEPT_COMPLAINTS = 5;

/** A line for each request that was not granted, with who asked. The first one of a client has no user: it asks for the realm. */
const REFUSED = /user <(.*)>: incoming packet message processed, error (\d{3})/;
const USAGE = /usage: realm=<.*>, username=<.*>, rp=(\d+), rb=(\d+), sp=(\d+), sb=(\d+)/;
const MADE = /session \d+: new, realm=/;
/** It tries again for a while, and would do so without saying which program is in its way. */
const TAKEN = /Cannot bind .* listener socket to addr (\S+)/;
const COMPLAINT = /(?:error|cannot|fail|bind: )/i;

/** Counts what coturn says. */
export class TurnLog {
  readonly #counts = {
    sessions: 0,
    refused: 0,
    denied: 0,
    over_quota: 0,
    rx_bytes: 0,
    tx_bytes: 0,
    rx_packets: 0,
    tx_packets: 0,
  };
  readonly #complaints: string[] = [];
  readonly #lines = new TextLines();
  #taken: string | undefined;

  get counts(): TurnCounts {
    return { ...this.#counts };
  }

  /** The last thing that it complained of. Undefined: nothing. */
  get complaint(): string | undefined {
    return this.#complaints.at(-1);
  }

  /** An address and port that another program has. Undefined: none. */
  get taken(): string | undefined {
    return this.#taken;
  }

  /** As it comes, in pieces of any length. */
  take(text: string): void {
    for (const line of this.#lines.take(text)) this.#line(line);
  }

  /** Another process says what follows. */
  begin(): void {
    this.#lines.begin();
    this.#taken = undefined;
    this.#complaints.length = 0;
  }

  #line(line: string): void {
    const [, user = '', code] = REFUSED.exec(line) ?? [];
    const [, ...usage] = USAGE.exec(line) ?? [];
    if (code !== undefined) this.#refused(user, code);
    else if (usage.length > 0) this.#used(usage.map(Number));
    else if (MADE.test(line)) this.#counts.sessions += 1;
    else if (COMPLAINT.test(line)) this.#complained(line);
  }

  #refused(user: string, code: string): void {
    const counts = this.#counts;
    if (code === '403') counts.denied += 1;
    else if (code === '486' || code === '508') counts.over_quota += 1;
    else if ((code === '401' && user !== '') || code === '441') counts.refused += 1;
  }

  #used([rx_packets = 0, rx_bytes = 0, tx_packets = 0, tx_bytes = 0]: readonly number[]): void {
    const counts = this.#counts;
    counts.rx_packets += rx_packets;
    counts.rx_bytes += rx_bytes;
    counts.tx_packets += tx_packets;
    counts.tx_bytes += tx_bytes;
  }

  /** Lines begin with seconds: `12: : `. */
  #complained(line: string): void {
    this.#taken ??= TAKEN.exec(line)?.[1];
    this.#complaints.push(line.replace(/^\d+: :? ?/, '').slice(0, 200));
    if (this.#complaints.length > KEPT_COMPLAINTS) this.#complaints.shift();
  }
}
