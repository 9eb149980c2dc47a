export type WaitingLineOptions = {
  atOnce: number;
  /** Behind those that run. */
  waitingMax: number;
  /** Of each, until its turn (milliseconds). */
  waitMsMax: number;
};

/** Runs a few calls at once; the others wait in order, at most so many and so long. */
export class WaitingLine {
  readonly #options: WaitingLineOptions;
  readonly #waiting = new Set<() => void>();
  #running = 0;

  constructor(options: WaitingLineOptions) {
    this.#options = options;
  }

  /** 'no-turn' when the line is full, or the turn did not come in time: then `work` never runs. Rejects as `work` does. */
  async run<Result>(work: () => Promise<Result>): Promise<Result | 'no-turn'> {
    if (this.#running < this.#options.atOnce) this.#running++;
    else if (!(await this.#waitForTurn())) return 'no-turn';
    try {
      return await work();
    } finally {
      const [next] = this.#waiting;
      if (next) next();
      else this.#running--;
    }
  }

  #waitForTurn(): Promise<boolean> {
    const { waitingMax, waitMsMax } = this.#options;
    if (this.#waiting.size >= waitingMax) return Promise.resolve(false);
    return new Promise((resolve) => {
      const leave = (hasTurn: boolean) => {
        clearTimeout(timer);
        this.#waiting.delete(takeTurn);
        resolve(hasTurn);
      };
      const takeTurn = () => leave(true);
      const timer = setTimeout(leave, waitMsMax, false);
      this.#waiting.add(takeTurn);
    });
  }
}
