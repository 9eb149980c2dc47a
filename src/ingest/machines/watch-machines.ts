import { messageOf } from '#lib/errors.ts';
import type { Log } from '#lib/log.ts';
import { describeMachines } from '#product/machines/describe-machines.ts';
import type { RoleProcess, RoleProcessStore } from '#product/machines/role-process-store.ts';
import type { Check } from '../answer-health.ts';

const LOOK_EVERY_MS = 5_000;
/** Machines that have a line of their own in the health of the server. */
const LINES_MAX = 64;

/** What is known of all machines that share the database. */
export class MachineWatch {
  readonly #store: Pick<RoleProcessStore, 'list'>;
  readonly #log: Log;
  readonly #onList: (processes: readonly RoleProcess[]) => void;
  #processes: readonly RoleProcess[] = [];
  #timer: NodeJS.Timeout | null = null;

  constructor(
    store: Pick<RoleProcessStore, 'list'>,
    log: Log,
    onList: (processes: readonly RoleProcess[]) => void,
  ) {
    this.#store = store;
    this.#log = log;
    this.#onList = onList;
  }

  start(): void {
    void this.#look();
    this.#timer = setInterval(() => void this.#look(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
  }

  /** A line for each machine. Never a failure: what is wrong with another machine is no reason to take nothing here. */
  checks(): Record<string, Check> {
    return Object.fromEntries(
      describeMachines(this.#processes)
        .slice(0, LINES_MAX)
        .map(({ name, detail }) => [`machine ${name}`, { ok: true, detail }]),
    );
  }

  async #look(): Promise<void> {
    try {
      this.#processes = await this.#store.list();
      this.#onList(this.#processes);
    } catch (error) {
      this.#log.debug({ error: messageOf(error) }, 'The machines could not be looked up');
    }
  }
}
