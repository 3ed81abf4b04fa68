/** One after the other, in the order of asking: whoever compares must not see what somebody else has half done. */
export class InTurn {
  #last: Promise<unknown> = Promise.resolve();

  take<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    // The one that failed tells its own caller. The next one has nothing to do with it.
    this.#last = done.catch(() => undefined);
    return done;
  }
}
