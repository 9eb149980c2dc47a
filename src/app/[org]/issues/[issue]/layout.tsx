import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { issueTitle } from '../issue-view.ts';
import { IssueFrame } from './issue-header.tsx';
import { readIssueRequest } from './issue-request.ts';

type Props = { params: Promise<{ org: string; issue: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { issue } = await readIssueRequest(params);
  return { title: `${issue.shortId} ${issueTitle(issue).heading}` };
}

/**
 * The header of an issue stays while its views change. An issue that does not exist answers 404 before any part of the page
 * is on its way.
 */
export default async function IssueLayout({ params, children }: Props & { children: ReactNode }) {
  const { ctx, issue } = await readIssueRequest(params);
  return (
    <IssueFrame ctx={ctx} issue={issue}>
      {children}
    </IssueFrame>
  );
}
