import type { Outcome } from '#protocol/outcome.ts';
import type { DigestedLog } from '#protocol/telemetry.ts';
import type { ItemContext } from '../item.ts';
import { ENVIRONMENT_CHARS_MAX, NAME_CHARS_MAX, RELEASE_CHARS_MAX } from '../normalize/limits.ts';
import { cutText } from '../normalize/safe-text.ts';
import { type AttributeSet, attributesOf, attributeText } from '../telemetry/attributes.ts';
import { placeInTime, TIMESTAMP_PROBLEM } from '../telemetry/clock.ts';
import { addSenderFacts, filterFactsOf, type OutcomeTally } from '../telemetry/container.ts';
import { LOG_BODY_CHARS_MAX } from '../telemetry/limits.ts';
import { originOf, rowIdOf } from '../telemetry/row-identity.ts';

/** A log of any format, read but not yet judged. */
export type LogFacts = {
  source: DigestedLog['source'];
  /** Microseconds since the epoch; null when it cannot be read. */
  occurredAtUs: number | null;
  traceId: string | null;
  spanId: string | null;
  level: DigestedLog['level'];
  severityNumber: number;
  /** Storable, perhaps too long; null when there is none. */
  body: string | null;
  attributes: AttributeSet;
};

/** Says how long a body was before it was cut. */
const BODY_CHARS = 'errata.body_chars';

/** Collects the logs of one item; each ends in one outcome. */
export class LogCollector {
  readonly logs: DigestedLog[] = [];
  readonly #context: ItemContext;
  readonly #itemId: string;
  readonly #tally: OutcomeTally;
  readonly #infer: { ip: boolean; userAgent: boolean };

  constructor(
    context: ItemContext,
    itemId: string,
    tally: OutcomeTally,
    infer: { ip: boolean; userAgent: boolean },
  ) {
    this.#context = context;
    this.#itemId = itemId;
    this.#tally = tally;
    this.#infer = infer;
  }

  /** `index` is the place in its item, which makes its identity. */
  take(facts: LogFacts, index: number): void {
    const { outcome, reason } = this.#judge(facts, index);
    this.#tally.count(outcome, reason);
  }

  #judge(facts: LogFacts, index: number): { outcome: Outcome; reason: string } {
    const { attributes, body, occurredAtUs } = facts;
    if (body === null) return { outcome: 'invalid', reason: 'invalid_log' };
    if (occurredAtUs === null) return { outcome: 'invalid', reason: 'timestamp' };
    const { shiftUs, problem } = placeInTime(occurredAtUs, this.#context);
    if (problem !== null) attributes.set(TIMESTAMP_PROBLEM, problem);
    if (body.length > LOG_BODY_CHARS_MAX) attributes.set(BODY_CHARS, body.length);
    addSenderFacts(attributes, this.#context, this.#infer);
    const log = this.#scrub(facts, body, occurredAtUs + shiftUs, index);
    const { filters } = this.#context.rules;
    const filter = filters.filterSender(filterFactsOf(attributes, log.release), this.#context);
    if (filter !== null) return { outcome: 'filtered', reason: filter };
    this.logs.push(log);
    return { outcome: 'accepted', reason: '' };
  }

  #scrub(facts: LogFacts, body: string, occurredAtUs: number, index: number): DigestedLog {
    const scrubbed = this.#context.rules.scrubber.scrubRecord('log', {
      body: cutText(body, LOG_BODY_CHARS_MAX),
      attributes: facts.attributes.toRecord(),
    });
    const attributes = attributesOf(scrubbed.attributes);
    const column = (charsMax: number, ...keys: readonly string[]): string | null =>
      cutText((attributeText(attributes, ...keys) ?? '').trim(), charsMax) || null;
    return {
      ...originOf(this.#context),
      rowId: rowIdOf(this.#itemId, index),
      occurredAtUs,
      traceId: facts.traceId,
      spanId: facts.spanId,
      level: facts.level,
      severityNumber: facts.severityNumber,
      body: typeof scrubbed.body === 'string' ? scrubbed.body : '',
      source: facts.source,
      release: column(RELEASE_CHARS_MAX, 'sentry.release', 'resource.service.version'),
      environment: column(
        ENVIRONMENT_CHARS_MAX,
        'sentry.environment',
        'resource.deployment.environment.name',
        'resource.deployment.environment',
      ),
      sdkName: column(NAME_CHARS_MAX, 'sentry.sdk.name') ?? '',
      attributes,
    };
  }
}

type LogLevel = DigestedLog['level'];

/** The first number of each level's four. Source: https://opentelemetry.io/docs/specs/otel/logs/data-model/ */
const SEVERITY: Readonly<Record<LogLevel, number>> = {
  trace: 1,
  debug: 5,
  info: 9,
  warn: 13,
  error: 17,
  fatal: 21,
};

const BY_NUMBER: readonly LogLevel[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];

const ALIASES: Readonly<Record<string, LogLevel>> = {
  log: 'info',
  information: 'info',
  notice: 'info',
  warning: 'warn',
  err: 'error',
  critical: 'fatal',
  emergency: 'fatal',
};

/** Level and number of a log from what was sent of them; each is made from the other, and `info` from nothing. */
export function readSeverity(
  levelSent: unknown,
  numberSent: unknown,
): { level: LogLevel; severityNumber: number } {
  const number = numberOf(numberSent);
  const level = levelOf(levelSent) ?? (number === null ? 'info' : levelOfNumber(number));
  return { level, severityNumber: number ?? SEVERITY[level] };
}

function levelOf(sent: unknown): LogLevel | null {
  if (typeof sent !== 'string') return null;
  const name = sent.trim().toLowerCase();
  if (Object.hasOwn(SEVERITY, name)) return name as LogLevel;
  return Object.hasOwn(ALIASES, name) ? (ALIASES[name] ?? null) : null;
}

const levelOfNumber = (severityNumber: number): LogLevel =>
  BY_NUMBER[Math.floor((severityNumber - 1) / 4)] ?? 'info';

/** 1 to 24; null for anything else. */
function numberOf(sent: unknown): number | null {
  const number = typeof sent === 'string' && sent !== '' ? Number(sent) : sent;
  return typeof number === 'number' && Number.isInteger(number) && number >= 1 && number <= 24
    ? number
    : null;
}
