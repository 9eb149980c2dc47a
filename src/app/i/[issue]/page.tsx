import { IssueFrame } from '../../[org]/issues/[issue]/issue-header.tsx';
import { IssuePage } from '../../[org]/issues/[issue]/issue-page.tsx';
import type { PageRequest } from '../../url-state.ts';
import { getShortAddressIssue } from './short-address-issue.ts';

/** The issue's page under its short address. */
export default async function ShortAddressPage({ params, searchParams }: PageRequest<'issue'>) {
  const { ctx, issue } = await getShortAddressIssue((await params).issue);
  const request = { ctx, issue, issueHref: `/${ctx.organization.slug}/issues/${issue.shortId}` };
  return (
    <IssueFrame ctx={ctx} issue={issue}>
      <IssuePage request={request} which="recommended" searchParams={await searchParams} />
    </IssueFrame>
  );
}
