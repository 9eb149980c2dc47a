import { Map as MapIcon } from 'lucide-react';
import type { Metadata } from 'next';
import { loadProject } from '#app/[org]/projects/load-project.ts';
import { ConfirmDelete } from '#app/[org]/settings/confirm-delete.tsx';
import { getRequestContext } from '#app/request-context.ts';
import { visibleText } from '#lib/visible-text.ts';
import { type CodeMappingRow, listCodeMappings } from '#product/code-mappings/list-code-mappings.ts';
import { hasRight } from '#product/permissions.ts';
import { listAllRepositories } from '#product/repositories/list-repositories.ts';
import type { Repository } from '#storage/ports/repositories.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Notice } from '#ui/notice.tsx';
import { PageBody, PageHeader } from '#ui/page-header.tsx';
import { deleteMappingAction } from './mapping-actions.ts';
import { MappingForm } from './mapping-form.tsx';

export const metadata: Metadata = { title: 'Code mappings' };

/** Where the paths of a project's stack traces are in repositories. */
export default async function CodeMappingsPage({
  params,
}: {
  params: Promise<{ org: string; project: string }>;
}) {
  const { org, project: slug } = await params;
  const ctx = await getRequestContext(org);
  await loadProject(ctx, slug);
  const [mappings, repositories] = await Promise.all([
    listCodeMappings(ctx, [slug]),
    listAllRepositories(ctx),
  ]);
  // One list for all forms of the page, which is then sent once.
  const choices = repositories.map(offered);
  const canChange = hasRight(ctx.actor, 'project:releases') || hasRight(ctx.actor, 'project:write');
  return (
    <PageBody width="narrow">
      <PageHeader
        title="Code mappings"
        description="Where the paths of stack traces are in a repository. With one, frames lead to their line, and commits are found that may have caused an issue. Of several that fit, the one with the longest root counts."
        actions={<ButtonLink href={`/${org}/settings/repositories`}>Repositories</ButtonLink>}
      />
      <div className="flex flex-col gap-5">
        {!canChange ? null : choices.length === 0 ? (
          <Notice
            title="No repository yet"
            actions={
              <ButtonLink size="sm" href={`/${org}/settings/repositories`}>
                Repositories
              </ButtonLink>
            }
          >
            Add the repository of this project first, or tell the commits of a release with sentry-cli.
          </Notice>
        ) : (
          <Card id="new-mapping" title="New code mapping">
            <MappingForm orgSlug={org} projectSlug={slug} mapping={null} repositories={choices} />
          </Card>
        )}
        <Card flush id="mappings" title="Code mappings">
          {mappings.length === 0 ? (
            <EmptyState icon={<MapIcon />} title="No code mapping yet">
              Until there is one, frames show their source and lead nowhere.
            </EmptyState>
          ) : (
            <ul className="divide-y">
              {mappings.map((row) => (
                <MappingRow
                  key={row.mapping.id}
                  orgSlug={org}
                  projectSlug={slug}
                  row={row}
                  choices={choices}
                  canChange={canChange}
                />
              ))}
            </ul>
          )}
        </Card>
      </div>
    </PageBody>
  );
}

type Choice = { id: number; name: string };

const offered = ({ id, name }: Repository): Choice => ({ id, name: visibleText(name) });

function MappingRow({
  orgSlug,
  projectSlug,
  row: { mapping, repository },
  choices,
  canChange,
}: {
  orgSlug: string;
  projectSlug: string;
  row: CodeMappingRow;
  choices: readonly Choice[];
  canChange: boolean;
}) {
  const [from, to] = [mapping.stackRoot, mapping.sourceRoot].map((root) => visibleText(root) || '(empty)');
  return (
    <li className="px-4 py-3">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <p className="mono break-anything text-xs leading-5">
            <bdi>{from}</bdi> <span className="text-text-muted">→</span> <bdi>{to}</bdi>
          </p>
          <p className="break-anything text-text-muted text-xs">
            <bdi>{visibleText(repository.name)}</bdi>, branch <bdi>{visibleText(mapping.defaultBranch)}</bdi>
          </p>
        </div>
        {canChange ? (
          <ConfirmDelete
            name={`the code mapping of ${from}`}
            consequence="Frames whose paths begin with it lead to no repository any more."
            action={deleteMappingAction.bind(null, orgSlug, projectSlug, mapping.id)}
          />
        ) : null}
      </div>
      {canChange ? (
        <details className="mt-1.5">
          <summary className="w-fit rounded-sm text-accent text-xs hover:underline">Change</summary>
          <div className="pt-3">
            <MappingForm
              orgSlug={orgSlug}
              projectSlug={projectSlug}
              mapping={mapping}
              repositories={choices}
            />
          </div>
        </details>
      ) : null}
    </li>
  );
}
