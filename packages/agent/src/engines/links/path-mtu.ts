import { MESH_MTU } from '../../host/own-numbers.ts';

/**
 * Ours, as sizes of packets in the mesh, the largest first: see docs/decisions/0067. All but the first are multiples of 16, to
 * which WireGuard pads.
 */
export const PACKET_SIZES: readonly number[] = [MESH_MTU, 1408, 1392, 1376, 1344, 1312, 1280, 1216, 1184];
const SMALLEST = PACKET_SIZES.at(-1) ?? MESH_MTU;
/** A packet that passes wherever any does: without an answer to it, silence says nothing about size. */
export const SMALL_PACKET = 60;
/** Ours: how long answers are waited for at least, and how often those sizes are asked that were not answered. */
const ROUND_MS = 350;
const ROUNDS = 3;
/** Ours: rounds in which nothing at all was answered, each twice as long as the one before. */
const MAX_SILENT = 5;

/**
 * How large packets get to a peer by one path: those of which a question is answered. It begins with the largest, and goes by
 * sizes only where that stays unanswered while a small one is answered. Sends nothing and knows no clock: it says what to ask.
 */
export class PathMtu {
  #best = 0;
  #asked_ms: number | undefined;
  #rtt_ms = 0;
  #isHeard = false;
  #rounds = 0;
  #silent = 0;

  /** What gets there. Undefined: not known yet, or not to be found out. */
  get mtu(): number | undefined {
    if (this.#best === MESH_MTU) return MESH_MTU;
    return this.#rounds < ROUNDS ? undefined : Math.max(this.#best, SMALLEST);
  }

  get isOver(): boolean {
    return this.#best === MESH_MTU || this.#rounds >= ROUNDS || this.#silent >= MAX_SILENT;
  }

  /** Sizes of packets to ask with, now. Empty: none now. */
  due(now_ms: number): readonly number[] {
    const wait_ms = Math.max(ROUND_MS * 2 ** this.#silent, 3 * this.#rtt_ms);
    if (this.#asked_ms !== undefined && now_ms - this.#asked_ms < wait_ms) return [];
    if (this.#asked_ms !== undefined) this.#judge();
    if (this.isOver) return [];
    const sizes = this.#rounds === 0 ? [MESH_MTU] : PACKET_SIZES.filter((size) => size > this.#best);
    return [SMALL_PACKET, ...sizes];
  }

  asked(now_ms: number): void {
    this.#asked_ms = now_ms;
  }

  /** Counts however late it comes. */
  answered(size: number, rtt_ms: number): void {
    this.#isHeard = true;
    this.#rtt_ms = Math.max(this.#rtt_ms, rtt_ms);
    if (size !== SMALL_PACKET) this.#best = Math.max(this.#best, size);
  }

  #judge(): void {
    if (this.#isHeard) this.#rounds += 1;
    else this.#silent += 1;
    this.#isHeard = false;
    this.#asked_ms = undefined;
  }
}
