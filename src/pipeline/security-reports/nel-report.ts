import { WEEK_MS } from '#lib/time.ts';
import { isSource, type Source } from '../normalize/field-reader.ts';
import { countOf, present, type ReportEvent, textOf } from './report-fields.ts';

/** A browser keeps a report for a day at most; more is the work of a broken clock. */
const AGE_MAX_MS = WEEK_MS;

/**
 * The event of a network error that a browser reports; null when it is no such report.
 * Sources: relay-event-schema/src/protocol/nel.rs (the form that made events), https://w3c.github.io/network-error-logging/.
 */
export function nelEvent(sent: Source, receivedAtMs: number): ReportEvent | null {
  const body = sent.body;
  if (!isSource(body) || (sent.type !== undefined && sent.type !== 'network-error')) return null;
  const type = textOf(body, 'type');
  if (type === undefined) return null;
  const phase = textOf(body, 'phase') ?? '';
  const status = countOf(body, 'status_code');
  const userAgent = textOf(sent, 'user_agent');
  const tags: [string, string][] = [];
  for (const name of ['method', 'protocol', 'status_code', 'server_ip'] as const) {
    const value = body[name];
    if (typeof value === 'string' || typeof value === 'number') tags.push([name, String(value)]);
  }
  return present({
    logger: 'nel',
    level: type === 'ok' ? 'info' : 'error',
    logentry: {
      formatted: type === 'http.error' ? `${phase} / ${type} (${status ?? 0})` : `${phase} / ${type}`,
    },
    culprit: type,
    tags,
    timestamp: (receivedAtMs - ageOf(sent.age)) / 1000,
    request: present({
      url: textOf(sent, 'url'),
      headers: userAgent === undefined ? undefined : [['User-Agent', userAgent]],
    }),
    contexts: { nel: { type: 'nel', error_type: type } },
    nel: present({
      age: typeof sent.age === 'number' ? sent.age : undefined,
      type: 'network-error',
      url: textOf(sent, 'url'),
      user_agent: userAgent,
      body,
    }),
  });
}

const ageOf = (age: unknown): number => (typeof age === 'number' && age > 0 ? Math.min(age, AGE_MAX_MS) : 0);
