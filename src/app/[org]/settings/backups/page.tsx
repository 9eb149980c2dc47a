import { Archive } from 'lucide-react';
import type { Metadata } from 'next';
import { KeepFresh } from '#app/[org]/apply-uploads/keep-fresh.tsx';
import { ActionButton } from '#app/forms/confirm-action.tsx';
import { FieldsForm } from '#app/forms/fields-form.tsx';
import { getRequestContext } from '#app/request-context.ts';
import type { PageRequest } from '#app/url-state.ts';
import { isInstanceOwner } from '#product/acting-user.ts';
import { getBackupOverview } from '#product/backups/backup-settings.ts';
import { getServices } from '#product/services.ts';
import { Card } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Notice } from '#ui/notice.tsx';
import { Page } from '#ui/page-header.tsx';
import { requestBackupAction, saveBackupScheduleAction } from './actions.ts';
import { formatTimeOfDay, SCHEDULE_FIELDS } from './backup-fields.ts';
import { BackupProgress, RunTable } from './backup-runs.tsx';

export const metadata: Metadata = { title: 'Backups' };

export default async function BackupsPage({ params }: PageRequest<'org'>) {
  const { org } = await params;
  const ctx = await getRequestContext(org);
  if (!isInstanceOwner(ctx)) return <OwnerOnly />;
  const { schedule, runs, current, age } = await getBackupOverview(ctx);
  const lastDone = runs.find(({ state }) => state === 'done');
  return (
    <Page
      title="Backups"
      description="Everything this instance stores, copied while it runs: events, issues, accounts and settings, attachments, uploads, and events that wait to be processed."
    >
      <div className="flex flex-col gap-5">
        {age.level === 'warning' ? (
          <Notice tone="warning" title={`Backups: ${age.detail}`}>
            {schedule.isOn ? age.next : 'Turn on the schedule below, or run errata backup create every day.'}
          </Notice>
        ) : null}
        {lastDone?.isEncrypted === false ? (
          <Notice title="Backups are not encrypted">
            Anybody who can read the folder can read every event. Set <code>ERRATA_BACKUP_KEY</code> on the
            server to encrypt new backups. Until then they do not contain the secret of the instance: keep a
            copy of the file <code>secret</code> in the data directory.
          </Notice>
        ) : null}
        {ctx.stores.blobs.isLocal ? null : (
          <Notice title="Blobs are not in the backup">
            Attachments, replays, profiles and dumps are in a bucket: keep its versions, or a copy of it.
          </Notice>
        )}
        <Card
          title="Back up now"
          actions={
            current === null && schedule.folder !== null ? (
              <ActionButton
                action={requestBackupAction.bind(null, org, null)}
                label="Back up now"
                pendingLabel="Starting…"
              />
            ) : null
          }
        >
          {current === null ? (
            <p className="text-sm text-text-muted">
              {schedule.folder === null
                ? 'Save a folder below first.'
                : `Writes to ${schedule.folder}. Only what changed since the last backup is copied. Receiving events never stops; processing waits for a moment.`}
            </p>
          ) : (
            <>
              <KeepFresh />
              <BackupProgress run={current} />
            </>
          )}
        </Card>
        <Card title="Schedule" id="schedule">
          <FieldsForm
            fields={SCHEDULE_FIELDS}
            values={{
              isOn: schedule.isOn,
              folder: schedule.folder ?? '',
              time: formatTimeOfDay(schedule.minuteOfDay),
              keep: schedule.keep,
            }}
            save={{
              action: saveBackupScheduleAction.bind(null, org, null),
              label: 'Save schedule',
              doneTitle: 'Schedule saved',
            }}
            columns={2}
            note="Backups are encrypted if ERRATA_BACKUP_KEY is set where the server runs, not only in your shell. A backup is proven once it was restored: run errata backup verify --restore now and then."
          />
        </Card>
        <Card flush title="History">
          <RunTable runs={runs} now={getServices().now()} />
        </Card>
      </div>
    </Page>
  );
}

function OwnerOnly() {
  return (
    <Page title="Backups">
      <div className="rounded-lg border bg-surface-raised">
        <EmptyState icon={<Archive />} title="Only the instance owner can see backups">
          The instance owner, who set up this server, decides when it is backed up.
        </EmptyState>
      </div>
    </Page>
  );
}
