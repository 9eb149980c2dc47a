import { ConfirmDelete } from '#app/[org]/settings/confirm-delete.tsx';
import type { ArtifactBundle } from '#storage/ports/artifacts.ts';
import { formatExact } from '#ui/format-number.ts';
import { deleteUploadAction } from './source-map-actions.ts';

/** Deletes an upload, after a question. */
export function DeleteUpload({
  organizationSlug,
  bundle,
  afterHref = null,
}: {
  organizationSlug: string;
  bundle: Pick<ArtifactBundle, 'kind' | 'id'>;
  afterHref?: string | null;
}) {
  return (
    <ConfirmDelete
      name={uploadName(bundle)}
      consequence="Stored events keep the source that they show. Those that come from now on are not taken to theirs by its files, until they are uploaded again."
      action={deleteUploadAction.bind(null, { organizationSlug, bundleId: bundle.id })}
      afterHref={afterHref}
    />
  );
}

export const uploadName = ({ kind, id }: Pick<ArtifactBundle, 'kind' | 'id'>): string =>
  `${kind === 'bundle' ? 'bundle' : 'file'} ${formatExact(id)}`;
