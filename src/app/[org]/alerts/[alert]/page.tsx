import { BellRing } from 'lucide-react';
import type { Metadata } from 'next';
import { Suspense } from 'react';
import { CursorPager } from '#app/[org]/cursor-pager.tsx';
import { readListPage } from '#app/[org]/settings/read-list-page.ts';
import { getRequestContext } from '#app/request-context.ts';
import { firstValue, type SearchParams } from '#app/url-state.ts';
import { settle } from '#lib/settle.ts';
import { visibleText } from '#lib/visible-text.ts';
import { countAlertFirings } from '#product/alerts/count-alert-firings.ts';
import { listAlertFirings } from '#product/alerts/list-alert-firings.ts';
import { listAlertReceivers } from '#product/alerts/list-alert-receivers.ts';
import { BarChart } from '#ui/bar-chart.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { formatExact } from '#ui/format-number.ts';
import { PageBody, PageHeader } from '#ui/page-header.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { canChangeAlerts } from '../can-change-alerts.ts';
import { RuleState } from '../rule-state.tsx';
import { FiringList } from './firing-list.tsx';
import { loadRule } from './load-rule.ts';
import { Measured } from './measured.tsx';
import { RuleControls } from './rule-controls.tsx';
import { RuleFacts } from './rule-facts.tsx';
import { RuleNotices } from './rule-notices.tsx';

type Props = { params: Promise<{ org: string; alert: string }>; searchParams: Promise<SearchParams> };

const DAY_MS = 86_400_000;
const CHART_DAYS = 30;
const PAGE_FIRINGS = 50;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { org, alert } = await params;
  const { rule } = await loadRule(await getRequestContext(org), alert);
  return { title: visibleText(rule.name) };
}

/** One rule: what it says, whether it looks, what it found and who was told. */
export default async function AlertPage({ params, searchParams }: Props) {
  const { org, alert } = await params;
  const cursor = firstValue(await searchParams, 'cursor') || null;
  const ctx = await getRequestContext(org);
  const row = await loadRule(ctx, alert);
  const { rule, project } = row;
  const now = ctx.now();
  const toMs = Math.ceil(now / DAY_MS) * DAY_MS;
  const range = { fromMs: toMs - CHART_DAYS * DAY_MS, toMs };
  const [known, counts, history] = await Promise.all([
    listAlertReceivers(ctx),
    settle(countAlertFirings(ctx, { ruleId: rule.id, range, bucketMs: DAY_MS })),
    readListPage(cursor, (from) =>
      listAlertFirings(ctx, { ruleId: rule.id, cursor: from, limit: PAGE_FIRINGS }),
    ),
  ]);
  const canChange = canChangeAlerts(ctx);
  const { definition } = rule;
  const name = visibleText(rule.name);
  const isSnoozed = rule.snoozedUntil !== null && rule.snoozedUntil > now;
  return (
    <PageBody>
      <PageHeader
        title={
          <span className="flex flex-wrap items-center gap-2.5">
            <bdi className="break-anything min-w-0">{name}</bdi>
            <RuleState rule={rule} now={now} />
          </span>
        }
        description={`An alert rule of ${project.name}.`}
        actions={
          canChange ? (
            <>
              <RuleControls
                organizationSlug={org}
                rule={{ id: rule.id, name, isEnabled: rule.isEnabled, isSnoozed }}
              />
              <ButtonLink variant="primary" href={`/${org}/alerts/${rule.id}/edit`}>
                Change
              </ButtonLink>
            </>
          ) : null
        }
      />
      <RuleNotices rule={rule} known={known} now={now} />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_minmax(300px,24rem)]">
        <div className="flex min-w-0 flex-col gap-5">
          {definition.kind === 'metric' ? (
            <Card id="measure" title="The last 14 days">
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
                  Firings{' '}
                  <span className="numbers font-normal text-text-muted">
                    {formatExact(counts.value.total)} in {CHART_DAYS} days
                  </span>
                </>
              }
            >
              <BarChart
                label="Firings"
                unit="firings"
                series={[{ label: 'Firings', color: 'var(--color-chart)', values: counts.value.values }]}
                fromMs={range.fromMs}
                bucketMs={DAY_MS}
                height={96}
              />
            </Card>
          ) : null}
          <Card flush id="history" title="History">
            {history.firings.length > 0 ? (
              <FiringList
                organizationSlug={org}
                rows={history.firings}
                measure={definition.kind === 'metric' ? definition.measure : null}
                known={known}
                now={now}
              />
            ) : (
              <EmptyState icon={<BellRing />} title={cursor ? 'Nothing further' : 'It has not fired yet'}>
                {definition.kind === 'issue'
                  ? 'What it finds stands here, with who was told and whether the message arrived.'
                  : 'Each change of its state stands here, with who was told and whether the message arrived.'}
              </EmptyState>
            )}
          </Card>
          <CursorPager
            path={`/${org}/alerts/${rule.id}`}
            entries={{}}
            cursor={cursor}
            nextCursor={history.nextCursor}
          />
        </div>
        <Card id="rule" title="The rule">
          <RuleFacts organizationSlug={org} row={row} known={known} now={now} />
        </Card>
      </div>
    </PageBody>
  );
}
