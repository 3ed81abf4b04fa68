/** Runs asynchronous work in the order it came, never two at once. */
export class OneAtATime {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    // Whoever asked for the work hears of its failure; the next in line only waits for its end.
    this.#last = result.catch(() => undefined);
    return result;
  }
}
