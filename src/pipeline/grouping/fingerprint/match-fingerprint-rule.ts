import type { NormalizedEvent } from '#protocol/event.ts';
import type { MatchBudget } from '../../patterns/linear/linear-pattern.ts';
import type { CompiledFingerprintRules, ReadyCondition, ReadyTest } from './compile-fingerprint-rules.ts';
import { EventFacts, type FactsOf } from './event-facts.ts';
import type { FingerprintMatch } from './fingerprint-types.ts';
import { fillVariables, resolveFingerprint } from './fingerprint-variables.ts';

/** Matching steps for one event; plain patterns need none. */
const EVENT_STEPS_MAX = 500_000;

/**
 * The first rule that the event fits, with its fingerprint filled in; null when there is none. Frames must be as they are
 * grouped by: with bare function names, and `in_app` as the stack trace rules decide.
 */
export function matchFingerprintRule(
  rules: CompiledFingerprintRules,
  event: NormalizedEvent,
): FingerprintMatch | null {
  const facts = new EventFacts(event);
  const budget = { steps: EVENT_STEPS_MAX };
  for (const rule of rules) {
    if (!allHold(rule.conditions, facts, budget)) continue;
    return {
      rule: rule.text,
      isBuiltIn: rule.isBuiltIn,
      fingerprint: rule.fingerprint,
      values: resolveFingerprint(rule.fingerprint, event),
      title: rule.title === null ? null : fillVariables(rule.title, event),
    };
  }
  return null;
}

/** Whether there is for each condition a thing that passes all tests: without any, not even a negated test holds. */
function allHold(conditions: readonly ReadyCondition[], facts: EventFacts, budget: MatchBudget): boolean {
  for (const { group, tests } of conditions) {
    const things = facts.thingsOf(group);
    let at = 0;
    while (at < things.length && !passesAll(tests, things, at, budget)) at += 1;
    if (at === things.length) return false;
  }
  return true;
}

function passesAll(
  tests: readonly ReadyTest[],
  things: readonly FactsOf[],
  at: number,
  budget: MatchBudget,
): boolean {
  for (const test of tests) if (!passes(test, things, at, budget)) return false;
  return true;
}

function passes(
  { key, isNegated, frame, fits }: ReadyTest,
  things: readonly FactsOf[],
  at: number,
  budget: MatchBudget,
): boolean {
  const thing = things[at + STEPS[frame]];
  // A frame without the neighbor that is asked for passes nothing.
  return thing !== undefined && thing(key).some((fact) => fits(fact, budget)) !== isNegated;
}

/** Sentry takes the next frame of the list as the caller in these rules, the other way round than in stack trace rules. */
const STEPS: Readonly<Record<ReadyTest['frame'], number>> = { caller: 1, own: 0, callee: -1 };
