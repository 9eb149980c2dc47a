import type { Metadata } from 'next';
import { getRequestContext } from '#app/request-context.ts';
import { Panel } from '#app/shell/panel.tsx';
import type { PageRequest } from '#app/url-state.ts';
import { getWebVitals } from '#product/performance/get-web-vitals.ts';
import { readAnswer } from '../../question/read-answer.ts';
import { PerformanceEmpty } from '../performance-empty.tsx';
import { PerformanceFrame } from '../performance-frame.tsx';
import { PerformancePager } from '../performance-pager.tsx';
import { GROUPS_PER_PAGE, parsePerformanceState, performanceQuestion } from '../performance-state.ts';
import { VitalCards } from './vital-cards.tsx';
import { VitalsTable } from './vitals-table.tsx';

export const metadata: Metadata = { title: 'Web vitals' };

/** How fast pages load, react and settle, overall and page by page. */
export default async function WebVitalsPage({ params, searchParams }: PageRequest<'org'>) {
  const { org } = await params;
  const ctx = await getRequestContext(org);
  const state = parsePerformanceState(await searchParams);
  const question = await performanceQuestion(ctx, state);
  const { sort, offset } = state;
  const answer = await readAnswer(getWebVitals(ctx, question, { sort, offset, limit: GROUPS_PER_PAGE }));
  const place = { organizationSlug: org, tab: 'web-vitals', state } as const;
  return (
    <PerformanceFrame
      ctx={ctx}
      place={place}
      answer={answer}
      show={({ overall, pages, distinct, hasMore }) =>
        pages.length === 0 ? (
          <PerformanceEmpty place={place} />
        ) : (
          <>
            <VitalCards place={place} summary={overall} />
            <Panel>
              <VitalsTable place={place} pages={pages} />
            </Panel>
            <PerformancePager place={place} shown={pages.length} distinct={distinct} hasMore={hasMore} />
          </>
        )
      }
    />
  );
}
