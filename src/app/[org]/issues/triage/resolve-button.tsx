'use client';

import { Check } from 'lucide-react';
import { useState } from 'react';
import { FormDialog } from '#app/shell/form-dialog.tsx';
import { TextField } from '#ui/field.tsx';
import { MenuItem, MenuSeparator } from '#ui/menu.tsx';
import { RESOLVE_NOW } from '../triage.ts';
import { ChooseReleaseDialog } from './choose-release-dialog.tsx';
import { SplitButton, type TriageButtonProps } from './split-button.tsx';

/** Resolves now, or by the menu in a release or a commit. */
export function ResolveButton({
  organizationSlug,
  projectIds,
  onAct,
  ...button
}: TriageButtonProps & {
  organizationSlug: string;
  /** Of the issues: releases to choose from are those that all of them have seen. */
  projectIds: readonly number[];
}) {
  const [asked, setAsked] = useState<'release' | 'commit' | null>(null);
  const close = () => setAsked(null);
  return (
    <>
      <SplitButton
        variant="primary"
        icon={<Check aria-hidden className="size-3.5" />}
        label="Resolve"
        title="Resolve (e)"
        menuLabel="More resolve options"
        {...button}
        onSelect={() => onAct(RESOLVE_NOW)}
      >
        <MenuItem onSelect={() => onAct({ verb: 'resolve', resolution: { kind: 'next_release' } })}>
          In the next release
        </MenuItem>
        <MenuItem onSelect={() => onAct({ verb: 'resolve', resolution: { kind: 'release', release: null } })}>
          In the current release
        </MenuItem>
        <MenuItem onSelect={() => setAsked('release')}>In another release…</MenuItem>
        <MenuSeparator />
        <MenuItem onSelect={() => setAsked('commit')}>In a commit…</MenuItem>
      </SplitButton>
      <ChooseReleaseDialog
        organizationSlug={organizationSlug}
        projectIds={projectIds}
        isOpen={asked === 'release'}
        onClose={close}
        onChoose={(release) => onAct({ verb: 'resolve', resolution: { kind: 'release', release } })}
      />
      <ChooseCommitDialog
        isOpen={asked === 'commit'}
        onClose={close}
        onChoose={(commit) => onAct({ verb: 'resolve', resolution: { kind: 'commit', ...commit } })}
      />
    </>
  );
}

type ChosenCommit = { repository: string; commit: string };

/** Asks for the commit that fixes it. */
function ChooseCommitDialog({
  isOpen,
  onClose,
  onChoose,
}: {
  isOpen: boolean;
  onClose: () => void;
  onChoose: (commit: ChosenCommit) => void;
}) {
  const [repository, setRepository] = useState('');
  const [commit, setCommit] = useState('');

  return (
    <FormDialog
      open={isOpen}
      title="Resolve in a commit"
      description="Events don’t mark the issue as regressed until the commit is part of a release."
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
