import { Map as MapIcon } from 'lucide-react';
import type { Metadata } from 'next';
import { loadProjectPage } from '#app/[org]/projects/load-project.ts';
import {
  deleteCodeMappingAction,
  saveMappingAction,
} from '#app/[org]/settings/projects/[project]/project-actions.ts';
import { MAPPING_FIELDS } from '#app/[org]/settings/projects/[project]/project-fields.ts';
import { ConfirmDelete } from '#app/forms/confirm-action.tsx';
import { valuesOf } from '#app/forms/fields.ts';
import { FieldsForm } from '#app/forms/fields-form.tsx';
import type { PageRequest } from '#app/url-state.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { CodeMapping } from '#product/code-mappings/code-mapping-store.ts';
import { type CodeMappingRow, listCodeMappings } from '#product/code-mappings/code-mappings.ts';
import { hasRight } from '#product/permissions.ts';
import { listAllRepositories } from '#product/repositories/repositories.ts';
import type { Repository } from '#product/repositories/repository.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card, ListCard } from '#ui/card.tsx';
import { Disclosure, EditableRow } from '#ui/disclosure.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Notice } from '#ui/notice.tsx';
import { SettingsPage } from '#ui/page-header.tsx';

export const metadata: Metadata = { title: 'Code mappings' };

export default async function CodeMappingsPage({ params }: PageRequest<'org' | 'project'>) {
  const { org, slug, ctx } = await loadProjectPage(params);
  const [mappings, repositories] = await Promise.all([
    listCodeMappings(ctx, [slug]),
    listAllRepositories(ctx),
  ]);
  // One list for all forms of the page, which is then sent once.
  const choices = repositories.map(offered);
  const canChange = hasRight(ctx.actor, 'project:releases') || hasRight(ctx.actor, 'project:write');
  return (
    <SettingsPage
      title="Code mappings"
      description="Maps paths in stack traces to files in a repository, so that frames link to their source line and suspect commits can be found. If several match, the one with the longest root applies."
      actions={<ButtonLink href={`/${org}/settings/repositories`}>Repositories</ButtonLink>}
    >
      {!canChange ? null : choices.length === 0 ? (
        <Notice
          title="No repositories yet"
          actions={
            <ButtonLink size="sm" href={`/${org}/settings/repositories`}>
              Repositories
            </ButtonLink>
          }
        >
          Add the repository of this project first, or report the commits of a release with sentry-cli.
        </Notice>
      ) : (
        <Card id="new-mapping" title="New code mapping">
          <MappingForm orgSlug={org} projectSlug={slug} mapping={null} choices={choices} />
        </Card>
      )}
      <ListCard
        id="mappings"
        title="Code mappings"
        empty={
          <EmptyState icon={<MapIcon />} title="No code mappings yet">
            Add one to link stack frames to your source code.
          </EmptyState>
        }
      >
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
      </ListCard>
    </SettingsPage>
  );
}

type Choice = { value: string; label: string };

const offered = ({ id, name }: Repository): Choice => ({ value: String(id), label: visibleText(name) });

function MappingForm({
  orgSlug,
  projectSlug,
  mapping,
  choices,
}: {
  orgSlug: string;
  projectSlug: string;
  mapping: CodeMapping | null;
  choices: readonly Choice[];
}) {
  const repositoryId = mapping === null ? choices[0]?.value : String(mapping.repositoryId);
  return (
    <FieldsForm
      fields={{ ...MAPPING_FIELDS, repositoryId: { ...MAPPING_FIELDS.repositoryId, options: choices } }}
      values={valuesOf(MAPPING_FIELDS, { defaultBranch: 'main', ...mapping, repositoryId })}
      save={{
        action: saveMappingAction.bind(null, orgSlug, { projectSlug, mappingId: mapping?.id ?? null }),
        label: mapping ? 'Save' : 'Add code mapping',
        doneTitle: 'Code mapping saved',
      }}
      columns={2}
    />
  );
}

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
    <EditableRow
      title={
        <span className="mono font-normal text-xs leading-5">
          <bdi>{from}</bdi> <span className="text-text-muted">→</span> <bdi>{to}</bdi>
        </span>
      }
      facts={
        <>
          <bdi>{visibleText(repository.name)}</bdi>, branch <bdi>{visibleText(mapping.defaultBranch)}</bdi>
        </>
      }
      actions={
        canChange ? (
          <ConfirmDelete
            name={`the code mapping for ${from}`}
            consequence="Frames with this path no longer link to a repository."
            action={deleteCodeMappingAction.bind(null, orgSlug, mapping.id)}
          />
        ) : null
      }
    >
      {canChange ? (
        <Disclosure summary="Edit">
          <MappingForm orgSlug={orgSlug} projectSlug={projectSlug} mapping={mapping} choices={choices} />
        </Disclosure>
      ) : null}
    </EditableRow>
  );
}
