/**
 * Whether a router still knows what it knew: it counts the seconds since it lost its mappings, and starts again when it loses them.
 * RFC 6887, 8.5 has the rule; that of RFC 6886 is weaker.
 */
export class GatewayEpoch {
  #last: { readonly epoch_s: number; readonly at_ms: number } | undefined;

  /** False: it has lost its mappings since the last time. `at_ms` is of a clock that only goes forward. */
  isSame(epoch_s: number, at_ms: number): boolean {
    const last = this.#last;
    this.#last = { epoch_s, at_ms };
    if (last === undefined) return true;
    const here_s = (at_ms - last.at_ms) / 1000;
    const there_s = epoch_s - last.epoch_s;
    if (there_s < -1) return false;
    return here_s + 2 >= there_s - there_s / 16 && there_s + 2 >= here_s - here_s / 16;
  }

  /** Another router, or another mapping: what came before says nothing. */
  forget(): void {
    this.#last = undefined;
  }
}
