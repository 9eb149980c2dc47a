import { FolderPlus } from 'lucide-react';
import { ButtonLink } from '#ui/button-link.tsx';
import { EmptyState } from '#ui/empty-state.tsx';

/** The stream before there is anything that could send. */
export function NoProjects({
  organizationSlug,
  canCreate,
}: {
  organizationSlug: string;
  canCreate: boolean;
}) {
  return (
    <>
      <h1 className="sr-only">Issues</h1>
      <EmptyState
        icon={<FolderPlus />}
        title="No projects yet"
        actions={
          canCreate ? (
            <ButtonLink variant="primary" href={`/${organizationSlug}/projects/new`}>
              Create project
            </ButtonLink>
          ) : null
        }
      >
        {canCreate
          ? 'A project is an app or service that reports errors to Errata. Create one to get the DSN for its SDK.'
          : 'A project is an app or service that reports errors to Errata. Ask an organization admin to create one.'}
      </EmptyState>
    </>
  );
}
