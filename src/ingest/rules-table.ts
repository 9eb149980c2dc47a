import type { Log } from '#lib/log.ts';
import { compileIngestRules, type IngestRules } from '#pipeline/ingest-rules.ts';
import { DEFAULT_INGEST_SETTINGS } from '#protocol/ingest-settings.ts';
import type { IngestSettingsStore } from '#storage/ports/ingest-settings.ts';

const PROJECTS_MAX = 50_000;
const REFRESH_INTERVAL_MS = 2_000;

/** What digest does with each project's items; the last known rules count while the store is away. */
export class RulesTable {
  readonly #store: Pick<IngestSettingsStore, 'listEffective'>;
  readonly #log: Log;
  readonly #defaults = compileIngestRules(DEFAULT_INGEST_SETTINGS);
  #rules = new Map<number, { text: string; rules: IngestRules }>();
  #timer: NodeJS.Timeout | null = null;

  constructor(store: Pick<IngestSettingsStore, 'listEffective'>, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  /** Throws when the store is away: without the rules nothing may be stored. */
  async start(): Promise<void> {
    await this.#load();
    this.#timer = setInterval(() => {
      this.#load().catch((error: unknown) => {
        this.#log.warn({ error: String(error) }, 'The rules of the projects could not be refreshed');
      });
    }, REFRESH_INTERVAL_MS);
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
  }

  /** A project that is not known yet has the defaults, as every new one does. */
  find(projectId: number): IngestRules {
    return this.#rules.get(projectId)?.rules ?? this.#defaults;
  }

  /** Compiles only what changed. */
  async #load(): Promise<void> {
    const next = new Map<number, { text: string; rules: IngestRules }>();
    for (const { projectId, settings } of await this.#store.listEffective(PROJECTS_MAX)) {
      const text = JSON.stringify(settings);
      const known = this.#rules.get(projectId);
      next.set(projectId, known?.text === text ? known : { text, rules: compileIngestRules(settings) });
    }
    this.#rules = next;
  }
}
