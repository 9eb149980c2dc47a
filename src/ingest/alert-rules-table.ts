import type { Log } from '#lib/log.ts';
import type { CharacterBudget } from '#pipeline/alerts/event-filters.ts';
import { type CompiledEventRule, compileEventRule, findEventHits } from '#pipeline/alerts/event-rules.ts';
import type { AlertEvent } from '#pipeline/alerts/event-values.ts';
import { isIssueRule, toEventRule } from '#product/alerts/alert-definition.ts';
import type { AlertRuleStore } from '#product/alerts/store/alert-rule-store.ts';
import type { EventHit } from '#storage/ports/digest.ts';

const REFRESH_INTERVAL_MS = 2_000;
/** Of the whole instance; rules beyond it do not look at each event. */
const RULES_MAX = 50_000;
/** About a tenth of a second of work; events after it are looked at where the rules are. */
const CHARACTERS_PER_SECOND_MAX = 100_000_000;

type LoadedRule = CompiledEventRule & { snoozedUntil: number | null };

/**
 * Rules of alerts that look at each event. Loaded again when one changed, at most seconds late; the last known ones count
 * while the store is away.
 */
export class AlertRulesTable {
  readonly #store: Pick<AlertRuleStore, 'stamp' | 'listEventRules'>;
  readonly #log: Log;
  readonly #now: () => number;
  #rules = new Map<number, readonly LoadedRule[]>();
  #stamp: string | null = null;
  #second = 0;
  #budget: CharacterBudget = { left: CHARACTERS_PER_SECOND_MAX };
  #timer: NodeJS.Timeout | null = null;

  constructor(
    store: Pick<AlertRuleStore, 'stamp' | 'listEventRules'>,
    log: Log,
    now: () => number = Date.now,
  ) {
    this.#store = store;
    this.#log = log;
    this.#now = now;
  }

  /** Throws when the store is away. */
  async start(): Promise<void> {
    await this.load();
    this.#timer = setInterval(() => {
      this.load().catch((error: unknown) => {
        this.#log.warn({ error: String(error) }, 'The rules of alerts could not be refreshed');
      });
    }, REFRESH_INTERVAL_MS);
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
  }

  /** Rules that want to hear of the event; none, at once, for a project without such a rule. */
  findHits(projectId: number, event: AlertEvent): readonly EventHit[] {
    const rules = this.#rules.get(projectId);
    if (!rules) return NONE;
    const nowMs = this.#now();
    const awake = rules.filter(({ snoozedUntil }) => snoozedUntil === null || snoozedUntil <= nowMs);
    return findEventHits(awake, event, this.#budgetOfSecond(nowMs)).map(({ rule, verdict }) => ({
      ruleId: rule.ruleId,
      ruleVersion: rule.version,
      kind: rule.kind,
      verdict,
      frequencyMs: rule.frequencyMs,
    }));
  }

  async load(): Promise<void> {
    const stamp = await this.#store.stamp();
    if (stamp === this.#stamp) return;
    const rules = await this.#store.listEventRules(RULES_MAX);
    const compiled = rules.filter(isIssueRule).map((rule) => ({
      projectId: rule.projectId,
      loaded: { ...compileEventRule(toEventRule(rule)), snoozedUntil: rule.snoozedUntil },
    }));
    this.#rules = new Map(
      [...Map.groupBy(compiled, ({ projectId }) => projectId)].map(([projectId, group]) => [
        projectId,
        group.map(({ loaded }) => loaded),
      ]),
    );
    this.#stamp = stamp;
  }

  #budgetOfSecond(nowMs: number): CharacterBudget {
    const second = Math.floor(nowMs / 1_000);
    if (second !== this.#second) {
      this.#second = second;
      this.#budget = { left: CHARACTERS_PER_SECOND_MAX };
    }
    return this.#budget;
  }
}

const NONE: readonly EventHit[] = [];
