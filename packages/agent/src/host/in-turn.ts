/** Runs tasks one after the other, in the order of calls: a comparison must not see a change that is half done. */
export class InTurn {
  #last: Promise<unknown> = Promise.resolve();

  take<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    // The one that failed tells its own caller. The next one has nothing to do with it.
    this.#last = done.catch(() => undefined);
    return done;
  }
}
