import type { RoleName } from '#config.ts';
import type { Check } from '#ingest/answer-health.ts';

/** A role that has spoken and has not been heard of for this long hangs. */
export const HEARTBEAT_AGE_MS_MAX = 30_000;
/** How long a role may take until it is heard of for the first time: loading its code, on a slow or busy machine. */
export const FIRST_HEARTBEAT_MS_MAX = 5 * 60_000;

type Heartbeat = { check: Check; atMs: number; hasSpoken: boolean };

/** What the roles said last, and which of them hang. Times are those of `performance.now()`. */
export class Heartbeats {
  readonly #last = new Map<RoleName, Heartbeat>();

  get roles(): Iterable<RoleName> {
    return this.#last.keys();
  }

  started(role: RoleName, nowMs: number): void {
    this.#last.set(role, { check: { ok: false, detail: 'starting' }, atMs: nowMs, hasSpoken: false });
  }

  heard(role: RoleName, check: Check, nowMs: number): void {
    this.#last.set(role, { check, atMs: nowMs, hasSpoken: true });
  }

  /** It is being killed, which is said once: the next process has the time of a start. */
  killed(role: RoleName, nowMs: number): void {
    const check = { ok: false, detail: 'was killed, it hung' };
    this.#last.set(role, { check, atMs: nowMs, hasSpoken: false });
  }

  checkOf(role: RoleName): Check | null {
    return this.#last.get(role)?.check ?? null;
  }

  /** For how long a role that hangs has not been heard of; null when it does not hang. */
  silenceMs(role: RoleName, nowMs: number): number | null {
    const last = this.#last.get(role);
    if (!last) return null;
    const ageMs = nowMs - last.atMs;
    return ageMs > (last.hasSpoken ? HEARTBEAT_AGE_MS_MAX : FIRST_HEARTBEAT_MS_MAX) ? ageMs : null;
  }
}
