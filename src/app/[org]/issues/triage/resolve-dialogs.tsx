'use client';

import { useEffect, useState } from 'react';
import { ReleaseName } from '#app/[org]/release-name.tsx';
import { FormDialog } from '#app/shell/form-dialog.tsx';
import type { PackageScope } from '#domain/issues/package-scope.ts';
import type { ReleaseSummary } from '#product/releases/release.ts';
import { Dialog } from '#ui/dialog.tsx';
import { TextField } from '#ui/field.tsx';
import { TableTime } from '#ui/table-time.tsx';
import { findReleases } from '../actions.ts';

/** A search is asked for when the typing pauses. */
const TYPING_PAUSE_MS = 200;

type Found = { releases: readonly ReleaseSummary[]; newest: string | null };

/** The releases that are in all of the scopes, newest first, with a search by name. */
export function ChooseReleaseDialog({
  organizationSlug,
  scopes,
  onClose,
  onChoose,
}: {
  organizationSlug: string;
  /** Of the issues that are resolved. */
  scopes: readonly PackageScope[];
  onClose: () => void;
  onChoose: (release: string) => void;
}) {
  const [asked] = useState(() =>
    scopes.map(({ projectId, package: name }) => ({ projectId, package: name })),
  );
  const [search, setSearch] = useState('');
  const [found, setFound] = useState<Found | 'failed' | null>(null);

  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(
      () =>
        findReleases({ organizationSlug, scopes: asked, search }).then(
          (answer) => isCurrent && setFound(answer),
          () => isCurrent && setFound('failed'),
        ),
      search === '' ? 0 : TYPING_PAUSE_MS,
    );
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [organizationSlug, asked, search]);

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Resolve in a release"
      description="Events from this release or a newer one mark an issue as regressed. Events from older releases don’t."
    >
      <TextField
        label="Release"
        placeholder="Search releases"
        value={search}
        maxLength={250}
        onChange={(event) => setSearch(event.target.value)}
      />
      <div className="mt-3 min-h-40" aria-live="polite">
        <Releases
          found={found}
          search={search}
          isOfSeveral={asked.length > 1}
          onChoose={(release) => {
            onClose();
            onChoose(release);
          }}
        />
      </div>
    </Dialog>
  );
}

function Releases({
  found,
  search,
  isOfSeveral,
  onChoose,
}: {
  found: Found | 'failed' | null;
  search: string;
  isOfSeveral: boolean;
  onChoose: (release: string) => void;
}) {
  if (found === null) return <p className="text-sm text-text-muted">Loading releases…</p>;
  if (found === 'failed') {
    return <p className="text-danger text-sm">Couldn’t load releases. Try again in a moment.</p>;
  }
  if (found.releases.length === 0) {
    return (
      <p className="text-sm text-text-muted">
        {search
          ? 'No matching releases.'
          : isOfSeveral
            ? 'The selected issues have no release in common.'
            : 'No releases yet. Set “release” in the SDK, and each release is listed from its first event on.'}
      </p>
    );
  }
  return (
    <ul className="divide-y rounded-md border">
      {found.releases.map(({ version, dateMs }) => (
        <li key={version}>
          <button
            type="button"
            onClick={() => onChoose(version)}
            className="flex min-h-9 w-full flex-wrap items-center gap-x-3 px-3 py-1.5 text-left text-sm hover:bg-surface-hover"
          >
            <span className="min-w-0 flex-1 basis-44 truncate font-medium">
              <ReleaseName version={version} />
            </span>
            {version === found.newest ? <span className="text-text-muted text-xs">current</span> : null}
            <TableTime at={dateMs} className="numbers shrink-0 text-text-faint text-xs" />
          </button>
        </li>
      ))}
    </ul>
  );
}

type ChosenCommit = { repository: string; commit: string };

/** Asks for the commit that fixes it. */
export function ChooseCommitDialog({
  onClose,
  onChoose,
}: {
  onClose: () => void;
  onChoose: (commit: ChosenCommit) => void;
}) {
  const [repository, setRepository] = useState('');
  const [commit, setCommit] = useState('');

  return (
    <FormDialog
      open
      title="Resolve in a commit"
      description="Events mark an issue as regressed only once the commit is part of a release."
      submitLabel="Resolve"
      onSubmit={() => {
        onClose();
        onChoose({ repository: repository.trim(), commit: commit.trim() });
      }}
      onClose={onClose}
    >
      <TextField
        label="Repository"
        placeholder="shop/web"
        required
        maxLength={200}
        value={repository}
        onChange={(event) => setRepository(event.target.value)}
      />
      <TextField
        label="Commit"
        hint="7 to 64 hexadecimal digits"
        required
        pattern="\s*[0-9a-fA-F]{7,64}\s*"
        className="mono"
        value={commit}
        onChange={(event) => setCommit(event.target.value)}
      />
    </FormDialog>
  );
}
