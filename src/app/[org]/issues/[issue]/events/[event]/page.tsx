import { PageInOnePiece } from '#app/shell/page-in-one-piece.tsx';
import type { PageRequest } from '../../../../../url-state.ts';
import { IssuePage } from '../../issue-page.tsx';
import { readIssueRequest } from '../../issue-request.ts';
import { IssueSkeleton } from '../../issue-skeleton.tsx';

type EventRequest = PageRequest<'org' | 'issue' | 'event'>;

/** `event` is an event id, `recommended`, `latest` or `oldest`. */
export default function EventPage(request: EventRequest) {
  return <PageInOnePiece content={renderEvent(request)} skeleton={<IssueSkeleton />} />;
}

async function renderEvent({ params, searchParams }: EventRequest) {
  const request = await readIssueRequest(params);
  return IssuePage({ request, which: (await params).event, searchParams: await searchParams });
}
