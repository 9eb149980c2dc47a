'use client';

import { SettingsForm } from '#app/[org]/settings/settings-form.tsx';
import { useSettingsForm } from '#app/[org]/settings/use-settings-form.ts';
import type { TrackerWords } from '#product/trackers/tracker-kinds.ts';
import type { TrackerKind } from '#storage/ports/trackers.ts';
import { TextField } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { HookSetup } from './hook-setup.tsx';
import { saveTrackerAction, type TrackerFormState } from './tracker-actions.ts';

export type TrackerFormWords = Omit<TrackerWords, 'project'> & { kind: TrackerKind };

const INITIAL: TrackerFormState = { error: null, problems: {}, savedAt: null, connected: null };

/** Connects a tracker, or changes one; what was connected just now shows how its webhook is set up. */
export function TrackerForm({
  orgSlug,
  words,
  tracker,
}: {
  orgSlug: string;
  words: TrackerFormWords;
  tracker: { id: number; name: string; url: string; login: string | null } | null;
}) {
  const form = useSettingsForm(
    saveTrackerAction.bind(null, orgSlug, words.kind, tracker?.id ?? null),
    INITIAL,
    tracker ? 'Saved' : `${words.name} is connected`,
  );
  const { problems, savedAt, connected } = form.state;
  return (
    <div className="flex flex-col gap-4">
      {connected ? (
        <Notice tone="success" title={`${words.name} is connected`}>
          <p className="mb-3">Let it tell Errata of commits and issues as well: set up its webhook now.</p>
          <HookSetup
            orgSlug={orgSlug}
            trackerId={connected.trackerId}
            hookUrl={connected.hookUrl}
            help={words.hookHelp}
            trackerName={words.name}
            isSecretOurs={words.isHookSecretOurs}
            secret={words.isHookSecretOurs ? connected.hookSecret : null}
          />
        </Notice>
      ) : null}
      <SettingsForm form={form} canChange submitLabel={tracker ? 'Save' : 'Connect'} className="gap-4">
        <Fields key={savedAt ?? 'new'} words={words} tracker={tracker} problems={problems} />
      </SettingsForm>
    </div>
  );
}

function Fields({
  words,
  tracker,
  problems,
}: {
  words: TrackerFormWords;
  tracker: { name: string; url: string; login: string | null } | null;
  problems: Readonly<Record<string, string>>;
}) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          name="name"
          label="Name"
          hint="As people see it here."
          placeholder={words.name}
          defaultValue={tracker?.name}
          error={problems.name}
          maxLength={100}
          autoComplete="off"
        />
        {words.hasOwnServers ? (
          <TextField
            name="url"
            label="Address"
            hint={words.url === null ? 'Of its pages in a browser.' : 'Only needed for a server of your own.'}
            placeholder={words.url ?? 'https://acme.atlassian.net'}
            defaultValue={tracker && tracker.url !== words.url ? tracker.url : ''}
            error={problems.url}
            autoComplete="off"
            required={words.url === null}
          />
        ) : null}
      </div>
      {words.login === null ? null : (
        <TextField
          name="login"
          label="Account"
          hint={words.login}
          defaultValue={tracker?.login ?? ''}
          error={problems.login}
          maxLength={200}
          autoComplete="off"
        />
      )}
      <TextField
        name="token"
        type="password"
        label="Token"
        hint={tracker ? `Left empty, it stays as it is. ${words.tokenHelp}` : words.tokenHelp}
        error={problems.token}
        autoComplete="off"
        required={tracker === null}
      />
    </>
  );
}
