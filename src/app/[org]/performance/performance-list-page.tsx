import { getRequestContext } from '#app/request-context.ts';
import { Panel } from '#app/shell/panel.tsx';
import type { SearchParams } from '#app/url-state.ts';
import { listModule, listTransactions } from '#product/performance/list-performance.ts';
import { PERFORMANCE_TABLES, type PerformanceModule } from '#product/performance/performance-tables.ts';
import { readAnswer } from '../question/read-answer.ts';
import { PerformanceEmpty } from './performance-empty.tsx';
import { PerformanceFrame } from './performance-frame.tsx';
import { PerformancePager } from './performance-pager.tsx';
import { GROUPS_PER_PAGE, parsePerformanceState, performanceQuestion } from './performance-state.ts';
import { PerformanceTable } from './performance-table.tsx';
import { TrendCharts } from './trend-charts.tsx';

const UNITS = {
  transactions: 'transactions',
  queries: 'queries',
  requests: 'requests',
  caches: 'operations',
  queues: 'messages',
} as const;

/** Transactions, or the spans of a module: all of them over time, and each group. */
export async function PerformanceListPage({
  organizationSlug,
  tab,
  params,
}: {
  organizationSlug: string;
  tab: 'transactions' | PerformanceModule;
  params: SearchParams;
}) {
  const ctx = await getRequestContext(organizationSlug);
  const state = parsePerformanceState(params);
  const question = await performanceQuestion(ctx, state);
  const page = { sort: state.sort, offset: state.offset, limit: GROUPS_PER_PAGE };
  const answer = await readAnswer(
    tab === 'transactions' ? listTransactions(ctx, question, page) : listModule(ctx, question, tab, page),
  );
  const place = { organizationSlug, tab, state };
  const unit = UNITS[tab];
  return (
    <PerformanceFrame
      ctx={ctx}
      place={place}
      answer={answer}
      show={({ table, trend }) =>
        table.groups.length === 0 ? (
          <PerformanceEmpty place={place} />
        ) : (
          <>
            <TrendCharts trend={trend} unit={unit} />
            <Panel>
              <PerformanceTable place={place} shape={PERFORMANCE_TABLES[tab]} table={table} label={unit} />
            </Panel>
            <PerformancePager
              place={place}
              shown={table.groups.length}
              distinct={table.distinct}
              hasMore={table.hasMore}
            />
          </>
        )
      }
    />
  );
}
