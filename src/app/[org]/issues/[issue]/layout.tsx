import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { issueTitle } from '../issue-view.ts';
import { BackKey } from './issue-keys.tsx';
import { getIssueRequest } from './issue-request.ts';

type Props = { params: Promise<{ org: string; issue: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { org, issue: reference } = await params;
  const { issue } = await getIssueRequest(org, reference);
  return { title: `${issue.shortId} ${issueTitle(issue).heading}` };
}

/** An issue that does not exist answers 404 before any part of the page is on its way. */
export default async function IssueLayout({ params, children }: Props & { children: ReactNode }) {
  const { org, issue } = await params;
  const { ctx } = await getIssueRequest(org, issue);
  return (
    <>
      {children}
      <BackKey organizationSlug={ctx.organization.slug} />
    </>
  );
}
