import { HOUR_MS } from '#lib/time.ts';
import { DETECTED_EVENTS_PER_HOUR_MAX } from '#product/performance-issues/detection-budget.ts';

/** Projects counted at the same time. Beyond it, the count of the project that was silent longest is reset. */
const PROJECTS_MAX = 50_000;

type Spent = {
  hour: number;
  events: number;
  /** Position of the last record that was counted. */
  position: number;
  /** Of the record that used up the budget; null while there is some. */
  endedAt: number | null;
};

/**
 * How many events of performance issues a project may make in a clock hour: above it, nothing is looked for until the next
 * one. Counts live in memory: after a restart an hour begins anew. A record that is digested again gets the same answer
 * and is not counted again, so that a batch that was stored in part finds all of its events.
 */
export class DetectionBudget {
  readonly #eventsMax: number;
  readonly #projectsMax: number;
  /** In the order of their last event. */
  #projects = new Map<number, Spent>();

  constructor(eventsMax = DETECTED_EVENTS_PER_HOUR_MAX, projectsMax = PROJECTS_MAX) {
    this.#eventsMax = eventsMax;
    this.#projectsMax = projectsMax;
  }

  /** Whether a record may be searched for problems. `receivedAt` in milliseconds since the epoch. */
  hasRoom(projectId: number, receivedAt: number, position: number): boolean {
    const spent = this.#projects.get(projectId);
    if (!spent || spent.hour !== hourOf(receivedAt) || spent.endedAt === null) return true;
    return position <= spent.endedAt;
  }

  /** Counts the events that were made of a record. */
  spend(projectId: number, receivedAt: number, position: number, events: number): void {
    if (events === 0) return;
    const hour = hourOf(receivedAt);
    const known = this.#projects.get(projectId);
    // A record that was taken out of quarantine belongs to an hour that nobody counts any more.
    if (known && (known.hour > hour || known.position >= position)) return;
    const before = known?.hour === hour ? known.events : 0;
    const total = before + events;
    this.#projects.delete(projectId);
    this.#projects.set(projectId, {
      hour,
      events: total,
      position,
      endedAt: total >= this.#eventsMax ? position : null,
    });
    if (this.#projects.size > this.#projectsMax) {
      this.#projects.delete(this.#projects.keys().next().value as number);
    }
  }
}

const hourOf = (ms: number): number => Math.floor(ms / HOUR_MS);
