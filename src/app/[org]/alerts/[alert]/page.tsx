import { BellRing } from 'lucide-react';
import type { Metadata } from 'next';
import { Suspense } from 'react';
import { loadRule } from '#app/[org]/alerts/load-rule.ts';
import { RuleState } from '#app/[org]/alerts/rule-list.tsx';
import { CursorPager, readListPage } from '#app/[org]/cursor-pager.tsx';
import { DeliveryBadge, routeName } from '#app/[org]/delivery-health.tsx';
import { getRequestContext } from '#app/request-context.ts';
import { firstValue, type PageRequest } from '#app/url-state.ts';
import type { MetricAlert } from '#domain/alerts/alert-rule.ts';
import { isErrataError, unavailable } from '#lib/errors.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { DAY_MS } from '#lib/time.ts';
import { visibleText } from '#lib/visible-text.ts';
import { countAlertFirings, listAlertFirings } from '#product/alerts/alert-firings.ts';
import { getDeliveryHealth } from '#product/alerts/get-delivery-health.ts';
import { type AlertRuleRow, canChangeAlerts, listAlertReceivers } from '#product/alerts/list-alert-rules.ts';
import { previewAlertRule } from '#product/alerts/preview/preview-alert-rule.ts';
import type { Context } from '#product/context.ts';
import { getServices } from '#product/services.ts';
import { BarChart } from '#ui/bar-chart.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { formatExact } from '#ui/format-number.ts';
import { Notice } from '#ui/notice.tsx';
import { Page } from '#ui/page-header.tsx';
import { ReloadButton } from '#ui/reload-button.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { MeasureChart, type ThresholdLine } from '../measure-chart.tsx';
import { FiringList } from './firing-list.tsx';
import { RuleControls } from './rule-controls.tsx';
import { RuleDeliveryFacts, RuleDeliveryNotice } from './rule-delivery.tsx';
import { RuleFacts, RuleNotices } from './rule-facts.tsx';

type Props = PageRequest<'org' | 'alert'>;

const CHART_DAYS = 30;
const PAGE_FIRINGS = 50;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { org, alert } = await params;
  const { rule } = await loadRule(await getRequestContext(org), alert);
  return { title: visibleText(rule.name) };
}

/** A rule with its state, its history and who was notified. */
export default async function AlertPage({ params, searchParams }: Props) {
  const { org, alert } = await params;
  const requested = await searchParams;
  const cursor = firstValue(requested, 'cursor') || null;
  const isUndelivered = firstValue(requested, 'delivery') === 'failed';
  const ctx = await getRequestContext(org);
  const row = await loadRule(ctx, alert);
  const { rule, project } = row;
  const now = ctx.now();
  const toMs = Math.ceil(now / DAY_MS) * DAY_MS;
  const range = { fromMs: toMs - CHART_DAYS * DAY_MS, toMs };
  const [known, { rules: deliveries }, counts, history] = await Promise.all([
    listAlertReceivers(ctx),
    getDeliveryHealth(ctx, getServices().mailer, [rule]),
    orUnavailable(countAlertFirings(ctx, { ruleId: rule.id, range, bucketMs: DAY_MS })),
    readListPage(cursor, (from) =>
      listAlertFirings(ctx, { ruleId: rule.id, isUndelivered, cursor: from, limit: PAGE_FIRINGS }),
    ),
  ]);
  const delivery = deliveries.get(rule.id) ?? { routes: [], undelivered: 0 };
  const [worst] = delivery.routes;
  const canChange = canChangeAlerts(ctx);
  const { definition } = rule;
  const name = visibleText(rule.name);
  const isSnoozed = rule.snoozedUntil !== null && rule.snoozedUntil > now;
  return (
    <Page
      title={
        <span className="flex flex-wrap items-center gap-2.5">
          <bdi className="break-anything min-w-0">{name}</bdi>
          <RuleState rule={rule} now={now} />
          {worst ? (
            <DeliveryBadge health={worst.health} name={routeName(known, worst.route)} now={now} />
          ) : null}
        </span>
      }
      description={`Alert rule for ${project.name}`}
      actions={
        canChange ? (
          <>
            <RuleControls
              organizationSlug={org}
              rule={{ id: rule.id, name, isEnabled: rule.isEnabled, isSnoozed }}
            />
            <ButtonLink variant="primary" href={`/${org}/alerts/${rule.id}/edit`}>
              Edit
            </ButtonLink>
          </>
        ) : null
      }
    >
      <RuleNotices rule={rule} known={known} now={now} />
      <RuleDeliveryNotice
        organizationSlug={org}
        ruleId={rule.id}
        delivery={delivery}
        known={known}
        now={now}
      />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_minmax(300px,24rem)]">
        <div className="flex min-w-0 flex-col gap-5">
          {definition.kind === 'metric' ? (
            <Card id="measure" title="Last 14 days">
              <Suspense fallback={<Skeleton className="h-48 w-full" />}>
                <Measured ctx={ctx} row={row} definition={definition} />
              </Suspense>
            </Card>
          ) : null}
          {counts.ok ? (
            <Card
              id="firings"
              title={
                <>
                  Times triggered{' '}
                  <span className="numbers font-normal text-text-muted">
                    {formatExact(counts.value.total)} in {CHART_DAYS} days
                  </span>
                </>
              }
            >
              <BarChart
                label="Times triggered"
                unit="firings"
                series={[
                  { label: 'Times triggered', color: 'var(--color-chart)', values: counts.value.values },
                ]}
                fromMs={range.fromMs}
                bucketMs={DAY_MS}
                height={96}
              />
            </Card>
          ) : null}
          <Card
            flush
            id="history"
            title={isUndelivered ? 'Not delivered in the last 24 hours' : 'History'}
            actions={
              isUndelivered ? (
                <TextLink href={`/${org}/alerts/${rule.id}`} className="text-sm">
                  Show all
                </TextLink>
              ) : null
            }
          >
            {history.firings.length > 0 ? (
              <FiringList
                organizationSlug={org}
                rows={history.firings}
                metric={definition.kind === 'metric' ? definition : null}
                known={known}
                now={now}
              />
            ) : (
              <EmptyState icon={<BellRing />} title={emptyTitle(cursor, isUndelivered)}>
                {definition.kind === 'issue'
                  ? 'Each time the rule triggers, you can see here who was notified and whether the message was delivered.'
                  : 'Each time the rule changes state, you can see here who was notified and whether the message was delivered.'}
              </EmptyState>
            )}
          </Card>
          <CursorPager
            path={`/${org}/alerts/${rule.id}`}
            entries={isUndelivered ? { delivery: 'failed' } : {}}
            cursor={cursor}
            nextCursor={history.nextCursor}
          />
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <Card id="delivery" title="Delivery">
            <RuleDeliveryFacts
              organizationSlug={org}
              ruleId={rule.id}
              delivery={delivery}
              known={known}
              canTest={canChange}
              now={now}
            />
          </Card>
          <Card id="rule" title="Rule details">
            <RuleFacts organizationSlug={org} row={row} known={known} now={now} />
          </Card>
        </div>
      </div>
    </Page>
  );
}

function emptyTitle(cursor: string | null, isUndelivered: boolean): string {
  if (cursor) return 'No more entries';
  return isUndelivered ? 'Every alert was delivered' : 'Not triggered yet';
}

/** The measure of a rule in the last 14 days, with its thresholds. */
async function Measured({
  ctx,
  row: { rule, project },
  definition,
}: {
  ctx: Context;
  row: AlertRuleRow;
  definition: MetricAlert;
}) {
  const { environment } = rule;
  const preview = await orUnavailable(
    previewAlertRule(ctx, { projectSlug: project.slug, environment, definition }).catch(unmeasurable),
  );
  if (!preview.ok) {
    return (
      <Notice tone="warning" title="Couldn’t load the metric" actions={<ReloadButton />}>
        {preview.reason}
      </Notice>
    );
  }
  const thresholds = (['critical', 'warning', 'resolve'] as const).flatMap((name): ThresholdLine[] => {
    const value = definition[name];
    return value === null ? [] : [{ name, value }];
  });
  return (
    <MeasureChart
      metric={definition}
      buckets={preview.value.buckets}
      before={preview.value.before}
      states={preview.value.states}
      thresholds={thresholds}
    />
  );
}

/** Reports a query that has become invalid since the rule was created like an unavailable store. */
function unmeasurable(error: unknown): never {
  if (isErrataError(error) && error.code === 'invalid') throw unavailable(error.message);
  throw error;
}
