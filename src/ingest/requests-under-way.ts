import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

const LOOK_EVERY_MS = 25;

/** What is being answered, so that a server that stops lets it end first. */
export class RequestsUnderWay {
  readonly #responses = new Set<ServerResponse>();
  #isDraining = false;

  get isDraining(): boolean {
    return this.#isDraining;
  }

  begin(response: ServerResponse): void {
    // The next request of this client goes to another machine.
    if (this.#isDraining) response.shouldKeepAlive = false;
    this.#responses.add(response);
    response.once('close', () => this.#responses.delete(response));
  }

  /** From here on clients are told not to keep their connections. */
  drain(): void {
    this.#isDraining = true;
    for (const response of this.#responses) if (!response.headersSent) response.shouldKeepAlive = false;
  }

  /** Resolves when everything is answered that ends by itself, or after the time. */
  async ended(msMax: number): Promise<void> {
    const deadline = performance.now() + msMax;
    while (performance.now() < deadline && this.#hasEnding()) await delay(LOOK_EVERY_MS);
  }

  /** Pages that follow live never end. */
  #hasEnding(): boolean {
    for (const response of this.#responses) {
      const type = response.getHeader('content-type');
      if (typeof type !== 'string' || !type.startsWith('text/event-stream')) return true;
    }
    return false;
  }
}
