import { PageInOnePiece } from '#app/shell/page-in-one-piece.tsx';
import type { PageRequest } from '../../../../url-state.ts';
import { IssuePage } from '../issue-page.tsx';
import { readIssueRequest } from '../issue-request.ts';
import { IssueSkeleton } from '../issue-skeleton.tsx';

export default function LatestEventPage(request: PageRequest<'org' | 'issue'>) {
  return <PageInOnePiece content={renderLatest(request)} skeleton={<IssueSkeleton />} />;
}

async function renderLatest({ params, searchParams }: PageRequest<'org' | 'issue'>) {
  const request = await readIssueRequest(params);
  return IssuePage({ request, which: 'recommended', searchParams: await searchParams });
}
