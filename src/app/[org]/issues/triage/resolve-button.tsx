'use client';

import { Check } from 'lucide-react';
import { useState } from 'react';
import type { PackageScope } from '#domain/issues/package-scope.ts';
import { MenuItem, MenuSeparator } from '#ui/menu.tsx';
import { onDemand, usePopupOnDemand } from '#ui/on-demand/on-demand.ts';
import { packageLabel, RESOLVE_NOW } from '../triage.ts';
import { SplitButton, type TriageButtonProps } from './split-button.tsx';

const dialogs = onDemand(() => import('./resolve-dialogs.tsx'));

/** Resolves now, or by the menu in a release or a commit. */
export function ResolveButton({
  organizationSlug,
  scopes,
  onAct,
  ...button
}: TriageButtonProps & {
  organizationSlug: string;
  /** Of the issues: releases to choose from are those that are in all of them. */
  scopes: readonly PackageScope[];
}) {
  const [asked, setAsked] = useState<'release' | 'commit' | null>(null);
  const close = () => setAsked(null);
  const ofPackage = packageLabel(scopes);
  const loaded = usePopupOnDemand(dialogs, asked !== null, close);
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
          {`In the next release${ofPackage}`}
        </MenuItem>
        <MenuItem onSelect={() => onAct({ verb: 'resolve', resolution: { kind: 'release', release: null } })}>
          {`In the current release${ofPackage}`}
        </MenuItem>
        <MenuItem onSelect={() => setAsked('release')}>In another release…</MenuItem>
        <MenuSeparator />
        <MenuItem onSelect={() => setAsked('commit')}>In a commit…</MenuItem>
      </SplitButton>
      {loaded && asked === 'release' ? (
        <loaded.ChooseReleaseDialog
          organizationSlug={organizationSlug}
          scopes={scopes}
          onClose={close}
          onChoose={(release) => onAct({ verb: 'resolve', resolution: { kind: 'release', release } })}
        />
      ) : null}
      {loaded && asked === 'commit' ? (
        <loaded.ChooseCommitDialog
          onClose={close}
          onChoose={(commit) => onAct({ verb: 'resolve', resolution: { kind: 'commit', ...commit } })}
        />
      ) : null}
    </>
  );
}
