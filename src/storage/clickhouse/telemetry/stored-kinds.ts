import type { TelemetryKind } from '#protocol/telemetry.ts';
import type { EventScope } from '#storage/ports/events.ts';
import type { ClickhouseDatabase } from '../client.ts';
import { inScope, isEmpty } from '../query-params.ts';
import { TABLES } from './tables.ts';

/** Kinds that the page of an event or a trace shows if there are any: most projects send few of them. */
const KINDS = [
  'attachments',
  'feedback',
  'logs',
  'profiles',
  'spans',
  'transactions',
] as const satisfies readonly TelemetryKind[];

export type ScarceKind = (typeof KINDS)[number];

export const isScarce = (kind: string): kind is ScarceKind => (KINDS as readonly string[]).includes(kind);

/** Remembered at once, as kinds of projects; the oldest is forgotten first. */
const KNOWN_MAX = 10_000;

/**
 * Which kinds of rows there are at all. One short question stands for a whole page of questions about kinds that were never
 * sent, each of which takes ten milliseconds to plan. That there is none is asked each time; that there is one is remembered.
 */
export class StoredKinds {
  readonly #database: ClickhouseDatabase;
  readonly #known = new Set<string>();
  readonly #asked = new Map<string, Promise<ReadonlySet<ScarceKind>>>();

  constructor(database: ClickhouseDatabase) {
    this.#database = database;
  }

  /** Whether one of the projects may have rows of the kind. Also true when there were some that were deleted since. */
  async has(kind: ScarceKind, scope: EventScope): Promise<boolean> {
    if (isEmpty(scope)) return false;
    if (scope.projectIds.some((projectId) => this.#known.has(`${kind}:${projectId}`))) return true;
    return (await this.#ask(scope)).has(kind);
  }

  /** Whoever asks while an answer is under way gets that one. */
  #ask(scope: EventScope): Promise<ReadonlySet<ScarceKind>> {
    const key = `${scope.organizationId}:${scope.projectIds.join(',')}`;
    const asked = this.#asked.get(key);
    if (asked) return asked;
    const answer = this.#read(scope).finally(() => this.#asked.delete(key));
    this.#asked.set(key, answer);
    return answer;
  }

  async #read(scope: EventScope): Promise<ReadonlySet<ScarceKind>> {
    const visible = inScope(scope);
    const rows = await this.#database.query<{ kind: ScarceKind; projectId: number }>(
      KINDS.map(
        (kind) =>
          `SELECT '${kind}' AS kind, project_id AS projectId FROM ${TABLES[kind].table} WHERE ${visible.sql} LIMIT 1`,
      ).join(' UNION ALL '),
      visible.params,
    );
    for (const { kind, projectId } of rows) this.#remember(`${kind}:${projectId}`);
    return new Set(rows.map(({ kind }) => kind));
  }

  #remember(known: string): void {
    const [oldest] = this.#known;
    if (this.#known.size >= KNOWN_MAX && oldest !== undefined) this.#known.delete(oldest);
    this.#known.add(known);
  }
}
