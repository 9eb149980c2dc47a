import { ConfirmDelete } from '#app/forms/confirm-action.tsx';
import type { ArtifactBundle } from '#product/artifacts/artifact.ts';
import { formatExact } from '#ui/format-number.ts';
import { deleteUploadAction } from './actions.ts';

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
      consequence="Stored events keep their source. New events are no longer symbolicated with its files until you upload them again."
      action={deleteUploadAction.bind(null, organizationSlug, { bundleId: bundle.id })}
      afterHref={afterHref}
    />
  );
}

export const uploadName = ({ kind, id }: Pick<ArtifactBundle, 'kind' | 'id'>): string =>
  `${kind === 'bundle' ? 'bundle' : 'file'} ${formatExact(id)}`;
