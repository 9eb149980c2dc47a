import { deleteUploadAction } from '#app/[org]/settings/projects/[project]/project-actions.ts';
import { ConfirmDelete } from '#app/forms/confirm-action.tsx';
import { shortenHashes } from '#lib/shorten-hashes.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { ArtifactBundle, ArtifactRelease } from '#product/artifacts/artifact.ts';
import { Badge } from '#ui/badge.tsx';
import { formatBytes, formatExact, formatPlural } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { numeric, Table, Td, Tr } from '#ui/table.tsx';

const RELEASES_SHOWN = 3;

/** Uploads, newest first. `hrefOf` leads to the files of one. */
export function BundleTable<Bundle extends ArtifactBundle>({
  label,
  bundles,
  hrefOf,
  organizationSlug,
  canDelete,
  now,
}: {
  label: string;
  bundles: readonly Bundle[];
  hrefOf: (bundle: Bundle) => string;
  organizationSlug: string;
  canDelete: boolean;
  now: number;
}) {
  return (
    <Table
      label={label}
      columns={[
        'Upload',
        'Found by',
        numeric('Files'),
        numeric('Size'),
        { heading: 'Used', title: 'The newest event that used one of its files' },
        ...(canDelete ? [null] : []),
      ]}
    >
      {bundles.map((bundle) => (
        <Tr key={bundle.id}>
          <Td className="min-w-36">
            <Link
              href={hrefOf(bundle)}
              className="font-medium text-text underline decoration-border-strong underline-offset-2"
            >
              {bundle.kind === 'bundle' ? 'Bundle' : 'File'} {formatExact(bundle.id)}
            </Link>
            <span className="block text-text-muted text-xs">
              <RelativeTime at={bundle.uploadedAt} now={now} />
            </span>
          </Td>
          <Td className="min-w-44">
            <FoundBy bundle={bundle} />
          </Td>
          <Td align="right">{formatExact(bundle.fileCount)}</Td>
          <Td numeric>
            <span title={formatPlural(bundle.bytes, 'byte')}>{formatBytes(bundle.bytes)}</span>
          </Td>
          <Td className="whitespace-nowrap">
            {bundle.usedAt > bundle.uploadedAt ? (
              <RelativeTime at={bundle.usedAt} now={now} />
            ) : (
              <span className="text-text-muted">not yet</span>
            )}
          </Td>
          {canDelete ? (
            <Td align="right">
              <DeleteUpload organizationSlug={organizationSlug} bundle={bundle} />
            </Td>
          ) : null}
        </Tr>
      ))}
    </Table>
  );
}

function FoundBy({ bundle: { kind, releases } }: { bundle: ArtifactBundle }) {
  const rest = releases.length - RELEASES_SHOWN;
  return (
    <span className="flex flex-wrap gap-1">
      {kind === 'bundle' ? <Badge tone="info">debug IDs</Badge> : null}
      {releases.slice(0, RELEASES_SHOWN).map((release) => (
        <Badge key={releaseLabel(release)} title={releaseLabel(release)}>
          {shortenHashes(releaseLabel(release))}
        </Badge>
      ))}
      {rest > 0 ? (
        <Badge title={releases.slice(RELEASES_SHOWN).map(releaseLabel).join(', ')}>{rest} more</Badge>
      ) : null}
    </span>
  );
}

export const releaseLabel = ({ version, dist }: ArtifactRelease): string =>
  visibleText(dist === null ? version : `${version}, dist ${dist}`);

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

const uploadName = ({ kind, id }: Pick<ArtifactBundle, 'kind' | 'id'>): string =>
  `${kind === 'bundle' ? 'bundle' : 'file'} ${formatExact(id)}`;
