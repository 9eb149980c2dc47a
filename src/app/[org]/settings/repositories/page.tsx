import { FolderGit2 } from 'lucide-react';
import type { Metadata } from 'next';
import { CursorPager, readListPage } from '#app/[org]/cursor-pager.tsx';
import { ListSearch } from '#app/[org]/list-search.tsx';
import { MANAGERS_ONLY, ManagersOnly } from '#app/[org]/settings/managers-only.tsx';
import { deleteRepositoryAction } from '#app/[org]/settings/organization-actions.ts';
import { PROVIDER_LABELS } from '#app/[org]/settings/organization-fields.ts';
import { ConfirmDelete } from '#app/forms/confirm-action.tsx';
import { getRequestContext } from '#app/request-context.ts';
import { firstValue, type PageRequest } from '#app/url-state.ts';
import { visibleText } from '#lib/visible-text.ts';
import { listRepositories } from '#product/repositories/repositories.ts';
import type { Repository } from '#product/repositories/repository.ts';
import { mayChangeSharedObjects } from '#product/shared-objects.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { Disclosure, EditableRow } from '#ui/disclosure.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { ExternalLink } from '#ui/external-link.tsx';
import { Page } from '#ui/page-header.tsx';
import { RepositoryForm } from './repository-form.tsx';

export const metadata: Metadata = { title: 'Repositories' };

const PAGE_REPOSITORIES = 50;

export default async function RepositoriesPage({ params, searchParams }: PageRequest<'org'>) {
  const { org } = await params;
  const requested = await searchParams;
  const search = firstValue(requested, 'query') ?? '';
  const cursor = firstValue(requested, 'cursor') || null;
  const ctx = await getRequestContext(org);
  const page = await readListPage(cursor, (from) =>
    listRepositories(ctx, { search, limit: PAGE_REPOSITORIES, cursor: from }),
  );
  const canChange = mayChangeSharedObjects(ctx);
  const path = `/${org}/settings/repositories`;
  const isSearched = search !== '' || cursor !== null;
  return (
    <Page
      width="narrow"
      title="Repositories"
      description="Where your code is hosted. Commits link there, and so do stack frames once a project has a code mapping. Repositories are added automatically when a build reports the commits of a release."
    >
      <div className="flex flex-col gap-5">
        <Card id="new-repository" title="New repository">
          {canChange ? (
            <RepositoryForm orgSlug={org} repository={null} />
          ) : (
            <ManagersOnly label="Add repository">
              Repositories are shared by all projects. Ask a manager or an owner to add or change them. Builds
              that report commits still add their repositories.
            </ManagersOnly>
          )}
        </Card>
        <Card flush id="repositories" title="Repositories">
          {page.repositories.length > 0 || isSearched ? (
            <div className="flex border-b p-3">
              <ListSearch label="Search repositories" placeholder="Search repositories" query={search} />
            </div>
          ) : null}
          {page.repositories.length > 0 ? (
            <ul className="divide-y">
              {page.repositories.map((repository) => (
                <RepositoryRow
                  key={repository.id}
                  orgSlug={org}
                  repository={repository}
                  canChange={canChange}
                />
              ))}
            </ul>
          ) : isSearched ? (
            <EmptyState
              icon={<FolderGit2 />}
              title="No matching repositories"
              actions={<ButtonLink href={path}>Show all repositories</ButtonLink>}
            />
          ) : (
            <EmptyState icon={<FolderGit2 />} title="No repositories yet">
              {canChange
                ? 'Add one above, or report the commits of a release with sentry-cli.'
                : 'Ask a manager or an owner to add one.'}
            </EmptyState>
          )}
        </Card>
      </div>
      <CursorPager
        path={path}
        entries={{ query: search || null }}
        cursor={cursor}
        nextCursor={page.nextCursor}
      />
    </Page>
  );
}

function RepositoryRow({
  orgSlug,
  repository,
  canChange,
}: {
  orgSlug: string;
  repository: Repository;
  canChange: boolean;
}) {
  const address = repository.url ?? repository.linkTemplate;
  return (
    <EditableRow
      title={<bdi>{visibleText(repository.name)}</bdi>}
      facts={
        <>
          {PROVIDER_LABELS[repository.provider]}
          {address === null ? null : ', '}
          {repository.url !== null ? (
            <ExternalLink href={repository.url} />
          ) : address !== null ? (
            <bdi className="mono">{visibleText(address)}</bdi>
          ) : null}
        </>
      }
      actions={
        <ConfirmDelete
          name={visibleText(repository.name)}
          consequence="Its commits and code mappings are deleted with it: releases no longer list its commits, and stack traces no longer link to it."
          action={deleteRepositoryAction.bind(null, orgSlug, repository.id)}
          disabledReason={canChange ? null : MANAGERS_ONLY}
        />
      }
    >
      {canChange ? (
        <Disclosure summary="Edit">
          <RepositoryForm orgSlug={orgSlug} repository={repository} />
        </Disclosure>
      ) : null}
    </EditableRow>
  );
}
