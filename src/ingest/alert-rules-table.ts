import type { Log } from '#lib/log.ts';
import { type CompiledEventRule, compileEventRule, findEventHits } from '#pipeline/alerts/event-rules.ts';
import type { AlertEvent } from '#pipeline/alerts/event-values.ts';
import { isIssueRule, toEventRule } from '#product/alerts/alert-definition.ts';
import type { AlertRuleStore } from '#product/alerts/store/alert-rule-store.ts';
import type { EventHit } from '#storage/ports/digest.ts';
import { BudgetOfSecond, PolledTable } from './polled-table.ts';

/** Rules of the instance that are evaluated for each event; further rules are not. */
const RULES_MAX = 50_000;
/**
 * Text compared in one second, about a tenth of a second of work. Events beyond it are evaluated by the alert worker.
 */
const CHARACTERS_PER_SECOND_MAX = 100_000_000;

type LoadedRule = CompiledEventRule & { snoozedUntil: number | null };

/**
 * Rules of alerts that look at each event. Loaded again when one changed, at most seconds late; the last known ones count
 * while the store is away.
 */
export class AlertRulesTable extends PolledTable {
  readonly #store: Pick<AlertRuleStore, 'stamp' | 'listEventRules'>;
  readonly #now: () => number;
  #rules = new Map<number, readonly LoadedRule[]>();
  #stamp: string | null = null;
  readonly #budget = new BudgetOfSecond(CHARACTERS_PER_SECOND_MAX);

  constructor(
    store: Pick<AlertRuleStore, 'stamp' | 'listEventRules'>,
    log: Log,
    now: () => number = Date.now,
  ) {
    super(log, 'Alert rules could not be refreshed');
    this.#store = store;
    this.#now = now;
  }

  /** Rules that want to hear of the event; none, at once, for a project without such a rule. */
  findHits(projectId: number, event: AlertEvent): readonly EventHit[] {
    const rules = this.#rules.get(projectId);
    if (!rules) return NONE;
    const nowMs = this.#now();
    const awake = rules.filter(({ snoozedUntil }) => snoozedUntil === null || snoozedUntil <= nowMs);
    return findEventHits(awake, event, this.#budget.at(nowMs)).map(({ rule, verdict }) => ({
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
}

const NONE: readonly EventHit[] = [];
