import type { PageRequest } from '../../../../url-state.ts';
import { IssuePage } from '../issue-page.tsx';
import { readIssueRequest } from '../issue-request.ts';

export default async function LatestEventPage({ params, searchParams }: PageRequest<'org' | 'issue'>) {
  const { ctx, issue } = await readIssueRequest(params);
  return <IssuePage ctx={ctx} issue={issue} which="recommended" searchParams={await searchParams} />;
}
