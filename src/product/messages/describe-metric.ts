import type { AlertMeasure, MetricAlert, MetricState } from '#storage/ports/alert-rules.ts';
import { formatValue } from './alert-message.ts';
import { counted } from './plain-text.ts';

const MEASURES: Readonly<Record<AlertMeasure, string>> = {
  events: 'events',
  users: 'users',
  crash_free_sessions: '% of sessions without a crash',
  crash_free_users: '% of users without a crash',
  failure_rate: '% of transactions that fail',
};

/** The condition that decided the state: `more than 500 events within 10 minutes`. */
export function describeMetric(definition: MetricAlert, state: MetricState): string {
  const { measure, direction, windowMinutes } = definition;
  const threshold =
    state === 'warning' && definition.warning !== null ? definition.warning : definition.critical;
  const bound = direction === 'above' ? 'more than' : 'less than';
  const window = counted(windowMinutes, 'minute');
  const what = `${formatValue(threshold)}${MEASURES[measure].startsWith('%') ? '' : ' '}${MEASURES[measure]}`;
  return `${state === 'ok' ? 'no longer ' : ''}${bound} ${what} within ${window}`;
}
