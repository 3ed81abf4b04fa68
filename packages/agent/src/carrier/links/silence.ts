import type { CarrierEvent } from '../control/messages.ts';
import { TokenBucket } from '../token-bucket.ts';
import { ANSWERED, type Link } from './link.ts';

interface Reported {
  readonly at_ms: number;
  readonly sent_packets: number;
}

/** Ours: TCP has sent again by then what was lost, and a relayed round trip is seldom longer. */
const SILENT_MS = 400;
/** Ours: with each report, as many packets go by spare ways too: far more than those of TCP that waits, and few of a film. */
const DOUBLES = 64;
const REPORT_AGAIN_MS = 1000;
const LOOK_MS = 100;
/** Ours: when it looks so much later than it meant to, answers may be there that were not read yet. */
const LATE_MS = 300;
/** Ours: when a relay dies, all links through it are silent. The others are reported with a later look. */
const REPORTS = { per_s: 500, at_once: 500 } as const;

/** Links that wait for an answer to what WireGuard sent through relays. Nothing runs while there is none. */
export class Silence {
  readonly #report: (facts: CarrierEvent<'silent'>) => void;
  readonly #reports = new TokenBucket(REPORTS.per_s, REPORTS.at_once);
  /** With what was last reported of them. Answered ones stay until the next look. */
  readonly #watched = new Map<Link, Reported | undefined>();
  #timer: NodeJS.Timeout | undefined;
  #looked_ms = 0;

  constructor(report: (facts: CarrierEvent<'silent'>) => void) {
    this.#report = report;
  }

  /** A packet has left that nothing has come after. */
  watch(link: Link, now_ms: number): void {
    link.unanswered_ms = now_ms;
    if (!this.#watched.has(link)) this.#watched.set(link, undefined);
    if (this.#timer !== undefined) return;
    this.#looked_ms = now_ms;
    this.#timer = setInterval(() => this.look(performance.now()), LOOK_MS);
  }

  forget(link: Link): void {
    link.answered();
    this.#watched.delete(link);
  }

  look(now_ms: number): void {
    const isLate = now_ms - this.#looked_ms > LOOK_MS + LATE_MS;
    this.#looked_ms = now_ms;
    for (const [link, reported] of this.#watched) {
      if (link.unanswered_ms === ANSWERED) this.#watched.delete(link);
      else if (isLate) link.unanswered_ms = now_ms;
      else if (now_ms - link.unanswered_ms >= SILENT_MS) this.#silent(link, reported, now_ms);
    }
    if (this.#watched.size === 0) this.close();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #silent(link: Link, reported: Reported | undefined, now_ms: number): void {
    if (reported !== undefined && reported.at_ms >= link.unanswered_ms) {
      if (now_ms - reported.at_ms < REPORT_AGAIN_MS) return;
      if (reported.sent_packets === link.sent_packets) {
        this.forget(link); // WireGuard has stopped sending
        return;
      }
    }
    link.doubles_left = DOUBLES;
    if (link.peer === undefined || !this.#reports.take(now_ms)) return;
    this.#watched.set(link, { at_ms: now_ms, sent_packets: link.sent_packets });
    this.#report({ peer: link.peer, ms: now_ms - link.unanswered_ms });
  }
}
