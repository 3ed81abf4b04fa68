/** Runs asynchronous work in the order it came, never two at once. */
export class OneAtATime {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    // The caller gets the failure. The next work only waits for the end.
    this.#last = result.catch(() => undefined);
    return result;
  }
}
