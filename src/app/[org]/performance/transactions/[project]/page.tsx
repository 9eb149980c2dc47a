import { Gauge } from 'lucide-react';
import type { Metadata } from 'next';
import { mergedHref } from '#app/[org]/profile-href.ts';
import { transactionHref } from '#app/[org]/transaction-href.ts';
import { orNotFound } from '#app/or-not-found.ts';
import { getRequestContext } from '#app/request-context.ts';
import { PageFilters } from '#app/shell/page-filters.tsx';
import { EmptyPanel } from '#app/shell/panel.tsx';
import { firstValue, type PageRequest, timeBounds } from '#app/url-state.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { visibleText } from '#lib/visible-text.ts';
import { listIssues } from '#product/issues/list-issues.ts';
import { getTransactionSummary } from '#product/performance/get-transaction-summary.ts';
import { exactTerm } from '#product/performance/performance-search.ts';
import { listProfiledReleases } from '#product/profiles/open-merged-profile.ts';
import { listEnvironments } from '#product/projects/list-project-summaries.ts';
import { getProject } from '#product/visible-projects.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { formatPlural } from '#ui/format-number.ts';
import { Page } from '#ui/page-header.tsx';
import { readAnswer } from '../../../question/read-answer.ts';
import { PageSearchBox } from '../../../search-box/page-search-box.tsx';
import { PERFORMANCE_PLACEHOLDER, PerformanceFound, queryError } from '../../performance-frame.tsx';
import { parsePerformanceState } from '../../performance-state.ts';
import { TransactionIssues } from './transaction-issues.tsx';
import { TransactionSections } from './transaction-sections.tsx';

const ISSUES_SHOWN = 5;

type Props = PageRequest<'org' | 'project'>;

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  return { title: visibleText(firstValue(await searchParams, 'transaction') ?? '') || 'Transaction' };
}

/** One transaction of a project: how it changed, where its time goes, and what goes with slowness. */
export default async function TransactionPage({ params, searchParams }: Props) {
  const { org, project: slug } = await params;
  const search = await searchParams;
  const transaction = firstValue(search, 'transaction') ?? '';
  const state = parsePerformanceState(search);
  const ctx = await getRequestContext(org);
  const project = await orNotFound(getProject(ctx, slug));
  const { filters, query } = state;
  const range = timeBounds(filters.time, ctx.now());
  const { environments } = filters;
  const issueSearch = `is:unresolved ${exactTerm('transaction', transaction)}`;
  const [answer, issues, known, profiled] = await Promise.all([
    readAnswer(
      getTransactionSummary(ctx, { query, projectSlug: project.slug, transaction, environments, range }),
    ),
    orUnavailable(
      listIssues(ctx, {
        query: issueSearch,
        projectSlugs: [project.slug],
        environments,
        range,
        sort: 'freq',
        cursor: null,
        limit: ISSUES_SHOWN,
      }),
    ),
    listEnvironments(ctx, [project.slug]),
    orUnavailable(listProfiledReleases(ctx, { projectSlug: project.slug, transaction, environments, range })),
  ]);
  const profiles = profiled.ok ? profiled.value.reduce((sum, row) => sum + row.profiles, 0) : 0;
  const place = { organizationSlug: org, projectSlug: project.slug, transaction, state };
  return (
    <Page
      title={<bdi className="break-anything">{visibleText(transaction) || '(none)'}</bdi>}
      description={`Transaction of ${project.slug}`}
      actions={
        profiles > 0 ? (
          <ButtonLink
            href={mergedHref({ organizationSlug: org, projectSlug: project.slug, transaction, filters })}
          >
            Flame graph of {formatPlural(profiles, 'profile')}
          </ButtonLink>
        ) : null
      }
    >
      <PageFilters filters={{ ...filters, projects: [] }} projects={null} environments={known} />
      <PageSearchBox
        organizationSlug={org}
        filters={{ ...filters, projects: [project.slug] }}
        subject="spans"
        placeholder={PERFORMANCE_PLACEHOLDER}
        query={query}
        error={queryError(answer)}
      />
      <PerformanceFound
        answer={answer}
        show={(summary) =>
          summary.examples.length === 0 ? (
            <EmptyPanel
              icon={<Gauge />}
              title="This transaction did not run in the selected time range"
              actions={
                <ButtonLink
                  href={transactionHref(org, project.slug, transaction, {
                    projects: [],
                    environments: [],
                    time: { kind: 'last', period: '90d' },
                  })}
                >
                  Search the last 90 days
                </ButtonLink>
              }
            >
              Or it was not sampled: SDKs send the share of transactions that tracesSampleRate says.
            </EmptyPanel>
          ) : (
            <TransactionSections place={place} summary={summary} now={ctx.now()} />
          )
        }
      />
      <TransactionIssues place={place} query={issueSearch} issues={issues} />
    </Page>
  );
}
