export type RunInTurn = <T>(run: () => Promise<T>) => Promise<T>;

/** Runs one after the other what is handed to it, in that order. */
export class Turns {
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  run: RunInTurn = (run) => {
    this.#waiting += 1;
    const turn = this.#last.then(run, run).finally(() => {
      this.#waiting -= 1;
    });
    this.#last = turn.catch(() => {});
    return turn;
  };

  get isIdle(): boolean {
    return this.#waiting === 0;
  }
}
