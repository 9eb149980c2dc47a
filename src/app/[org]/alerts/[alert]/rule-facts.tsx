import type { AlertRule, IssueAlert, MetricAlert } from '#domain/alerts/alert-rule.ts';
import { boundOf } from '#domain/alerts/compare-periods.ts';
import { MINUTE_MS } from '#lib/time.ts';
import { visibleText } from '#lib/visible-text.ts';
import { describeFilter, describeTrigger } from '#product/alerts/describe-alert-rule.ts';
import { describeReceiver, notifiesNobody } from '#product/alerts/describe-receiver.ts';
import type { AlertReceivers, AlertRuleRow } from '#product/alerts/list-alert-rules.ts';
import { withUnit } from '#product/measures/describe-measure.ts';
import { describeMinutes } from '#product/measures/describe-minutes.ts';
import { formatPlural } from '#ui/format-number.ts';
import { formatDuration } from '#ui/format-time.ts';
import { KeyValues } from '#ui/key-values.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { Notice } from '#ui/notice.tsx';
import { ExactTime, RelativeTime } from '#ui/relative-time.tsx';
import { ruleSentence } from '../alert-labels.ts';

const MATCH_LABELS = { all: 'All of these', any: 'Any of these', none: 'None of these' } as const;

/** The rule line by line, and its owner. */
export function RuleFacts({
  organizationSlug,
  row: { rule, project },
  known,
  now,
}: {
  organizationSlug: string;
  row: AlertRuleRow;
  known: AlertReceivers;
  now: number;
}) {
  const { definition, environment, owner, createdBy, createdAt, updatedAt } = rule;
  return (
    <KeyValues
      isNarrow
      rows={[
        {
          key: 'project',
          name: 'Project',
          value: (
            <Link
              href={`/${organizationSlug}/projects/${project.slug}`}
              className="text-accent hover:underline"
            >
              <bdi>{project.name}</bdi>
            </Link>
          ),
        },
        {
          key: 'environment',
          name: 'Environment',
          value: environment ? visibleText(environment) : 'All environments',
        },
        ...(definition.kind === 'issue' ? issueRows(definition, known) : metricRows(rule, definition, known)),
        {
          key: 'notifies',
          name: 'Notifies',
          value: notifiesNobody(known, definition.receivers) ? (
            'No one'
          ) : (
            <Lines lines={definition.receivers.map((receiver) => describeReceiver(known, receiver))} />
          ),
        },
        {
          key: 'owner',
          name: 'Owner',
          value: owner === null ? 'None' : visibleText(describeReceiver(known, owner)),
        },
        {
          key: 'made',
          name: 'Created',
          value: (
            <>
              <RelativeTime at={createdAt} now={now} />
              {createdBy ? <> by {visibleText(createdBy.name)}</> : null}
              {updatedAt > createdAt ? (
                <>
                  , edited <RelativeTime at={updatedAt} now={now} />
                </>
              ) : null}
            </>
          ),
        },
      ]}
    />
  );
}

function issueRows({ triggers, filters, filterMatch, frequencyMinutes }: IssueAlert, known: AlertReceivers) {
  return [
    { key: 'when', name: 'When', value: <Lines lines={triggers.map(describeTrigger)} /> },
    ...(filters.length === 0
      ? []
      : [
          {
            key: 'if',
            name: 'If',
            value: (
              <>
                {filters.length > 1 || filterMatch === 'none' ? (
                  <p className="text-text-muted text-xs">{MATCH_LABELS[filterMatch]}:</p>
                ) : null}
                <Lines
                  lines={filters.map((filter) =>
                    describeFilter(filter, (who) => describeReceiver(known, who)),
                  )}
                />
              </>
            ),
          },
        ]),
    {
      key: 'frequency',
      name: 'Frequency',
      value: `At most once per issue in ${describeMinutes(frequencyMinutes)}`,
    },
  ];
}

function metricRows(rule: AlertRule, definition: MetricAlert, known: AlertReceivers) {
  const { direction, comparisonMinutes, critical, warning, resolve, minimumSessions } = definition;
  const [bad, good] = direction === 'above' ? ['Above', 'Below'] : ['Below', 'Above'];
  const ok = resolve ?? warning ?? critical;
  const isChange = comparisonMinutes !== undefined;
  // A change says for itself which side it is on.
  const threshold = (side: string, value: number): string =>
    isChange
      ? `More than ${withUnit(boundOf(definition, value), definition)}`
      : `${side} ${withUnit(value, definition)}`;
  return [
    {
      key: 'when',
      name: 'When',
      value: visibleText(ruleSentence(rule, (who) => describeReceiver(known, who))),
    },
    { key: 'critical', name: 'Critical', value: threshold(bad, critical) },
    {
      key: 'warning',
      name: 'Warning',
      value: warning === null ? 'None' : threshold(bad, warning),
    },
    {
      key: 'resolve',
      name: 'Resolved',
      value: isChange ? `Less than ${withUnit(boundOf(definition, ok), definition)}` : threshold(good, ok),
    },
    ...(minimumSessions === undefined
      ? []
      : [{ key: 'minimum', name: 'Minimum', value: formatPlural(minimumSessions, 'session') }]),
  ];
}

function Lines({ lines }: { lines: readonly string[] }) {
  return (
    <ul className="flex flex-col gap-0.5">
      {lines.map((line) => (
        <li key={line} className="break-anything">
          {visibleText(line)}
        </li>
      ))}
    </ul>
  );
}

/** Why the rule notifies no one right now; nothing while it does. */
export function RuleNotices({ rule, known, now }: { rule: AlertRule; known: AlertReceivers; now: number }) {
  const { isEnabled, snoozedUntil, metric, definition } = rule;
  return (
    <div className="mb-5 flex flex-col gap-2 empty:hidden">
      {!isEnabled ? (
        <Notice title="This rule is disabled">It won’t run until someone enables it.</Notice>
      ) : snoozedUntil !== null && snoozedUntil > now ? (
        <Notice title="This rule is snoozed">
          {snoozedUntil === Number.POSITIVE_INFINITY ? (
            'It won’t notify anyone until someone unsnoozes it.'
          ) : (
            <>
              It won’t notify anyone until <ExactTime at={snoozedUntil} />.
            </>
          )}
        </Notice>
      ) : null}
      {notifiesNobody(known, definition.receivers) ? (
        <Notice tone="warning" title="This rule doesn’t notify anyone">
          Its recipients were removed. Edit the rule to choose who to notify.
        </Notice>
      ) : null}
      {metric !== null && metric.problem !== null ? (
        <Notice tone="warning" title="This rule can’t be evaluated">
          {metric.problem}. Last checked <RelativeTime at={metric.checkedAt} now={now} />.
        </Notice>
      ) : null}
      <SlowNotice metric={metric} />
    </div>
  );
}

/** The rule is evaluated each minute unless that takes long. */
function SlowNotice({ metric }: { metric: AlertRule['metric'] }) {
  if (metric?.tookMs == null || metric.nextAt === null) return null;
  const everyMinutes = Math.round((metric.nextAt - metric.checkedAt + metric.tookMs) / MINUTE_MS);
  if (everyMinutes <= 1) return null;
  return (
    <Notice title="This rule is evaluated less often">
      Its query takes {formatDuration(metric.tookMs)}, so it runs every {describeMinutes(everyMinutes)}{' '}
      instead of every minute. A narrower search or a shorter window makes it faster.
    </Notice>
  );
}
