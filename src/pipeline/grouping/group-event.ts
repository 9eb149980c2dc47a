import { FEEDBACK_TYPE, type NormalizedEvent } from '#protocol/event.ts';
import { isMonitorIssueType } from '#protocol/monitor-issue.ts';
import { ignored } from './component.ts';
import type { FingerprintMatch } from './fingerprint/fingerprint-types.ts';
import { DEFAULT_ENTRY, resolveFingerprint } from './fingerprint/fingerprint-variables.ts';
import { matchFingerprintRule } from './fingerprint/match-fingerprint-rule.ts';
import {
  type Grouping,
  type GroupingRules,
  type GroupingVariant,
  groupingConfig,
  type VariantName,
} from './grouping-types.ts';
import {
  checksumVariant,
  componentVariant,
  componentVariants,
  fallbackVariant,
  fingerprintVariant,
} from './hash-variants.ts';
import { type PreparedEvent, prepareEvent } from './stack-traces/prepare-event.ts';

/**
 * Tells which issue an event belongs to: events that share a hash are one issue. Pure, never throws, and the same for an
 * event before and after it was stored.
 */
export const groupEvent = (event: NormalizedEvent, rules: GroupingRules): Grouping =>
  groupPreparedEvent(prepareEvent(event, rules.stackTrace), rules);

/** As `groupEvent`, with the event as it is to be stored: `in_app` of its frames as the rules decide. */
export function prepareAndGroupEvent(
  event: NormalizedEvent,
  rules: GroupingRules,
): { event: NormalizedEvent; grouping: Grouping } {
  const prepared = prepareEvent(event, rules.stackTrace);
  return { event: prepared.event, grouping: groupPreparedEvent(prepared, rules) };
}

function groupPreparedEvent({ event, verdicts }: PreparedEvent, rules: GroupingRules): Grouping {
  // Rules are about errors: one that fits too much must not mix problems, feedback or monitors with them.
  const isBuiltIn =
    event.occurrence !== undefined || event.type === FEEDBACK_TYPE || isMonitorIssueType(event.type);
  const match = isBuiltIn ? null : matchFingerprintRule(rules.fingerprint, event);
  const variants = isBuiltIn
    ? [fingerprintVariant('built_in_fingerprint', event.fingerprint ?? [])]
    : event.checksum
      ? [checksumVariant(event.checksum)]
      : variantsOf({ event, verdicts }, rules, match);
  const contributing = variants.flatMap(({ hash }) => hash ?? []);
  return {
    config: rules.config,
    variants: Object.fromEntries(variants.map((variant) => [variant.name, variant])),
    hashes: [...new Set(contributing)],
    title: match?.title ?? null,
    matchedRule: match?.rule ?? null,
  };
}

function variantsOf(
  { event, verdicts }: PreparedEvent,
  rules: GroupingRules,
  match: FingerprintMatch | null,
): readonly GroupingVariant[] {
  const context = { config: groupingConfig(rules.config), platform: event.platform, verdicts };
  const trees = [...componentVariants(event, context)];
  const fingerprint = match?.values ?? resolveFingerprint(event.fingerprint ?? [], event);
  const others = fingerprint.filter((entry) => entry !== DEFAULT_ENTRY).length;
  if (others > 0 && others === fingerprint.length) {
    const name = fingerprintName(match);
    const hint = 'overridden by the fingerprint';
    return [
      ...trees.map(([variant, tree]) => componentVariant(variant, ignored(tree, hint))),
      fingerprintVariant(name, fingerprint),
    ];
  }
  const isDefault = fingerprint.length <= 1;
  const found = trees.map(([variant, tree]) =>
    componentVariant(variant, tree, isDefault ? null : fingerprint),
  );
  return found.some((variant) => variant.contributes) ? found : [...found, fallbackVariant()];
}

function fingerprintName(match: FingerprintMatch | null): VariantName {
  if (match === null) return 'custom_client_fingerprint';
  return match.isBuiltIn ? 'built_in_fingerprint' : 'custom_server_fingerprint';
}
