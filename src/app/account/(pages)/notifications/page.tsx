import { BellOff } from 'lucide-react';
import type { Metadata } from 'next';
import { getSelf } from '#app/account/own-account.ts';
import { NOTIFICATION_KINDS } from '#domain/notification-kinds.ts';
import {
  getNotificationSettings,
  NOTIFICATION_WORDS,
  type NotificationSettings,
} from '#product/notifications/notification-settings.ts';
import { Card } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { formatPlural } from '#ui/format-number.ts';
import { Notice } from '#ui/notice.tsx';
import { SettingsPage } from '#ui/page-header.tsx';
import { EverywhereSwitch, SettingSelect } from './setting-controls.tsx';

export const metadata: Metadata = { title: 'Notifications' };

export default async function NotificationsPage() {
  const self = await getSelf();
  const { everywhere, organizations } = await getNotificationSettings(self, self.session);
  return (
    <SettingsPage
      title="Notifications"
      description={
        <>
          Choose which emails are sent to <bdi className="break-anything">{self.session.email}</bdi>. Settings
          for an organization or a project override the ones for all organizations.
        </>
      }
    >
      {self.mailer.isConfigured ? null : (
        <Notice tone="warning" title="Email is not set up">
          Your administrator has not configured a mail server yet. These settings take effect once that is
          done.
        </Notice>
      )}
      <Card flush id="everywhere" title="All organizations">
        <ul className="divide-y">
          {NOTIFICATION_KINDS.map((kind) => (
            <EverywhereSwitch key={kind} kind={kind} isOn={everywhere[kind]} {...NOTIFICATION_WORDS[kind]} />
          ))}
        </ul>
      </Card>
      {organizations.map((organization) => (
        <OrganizationSettings key={organization.slug} organization={organization} everywhere={everywhere} />
      ))}
      {organizations.length === 0 ? (
        <EmptyState icon={<BellOff />} title="You are not in an organization">
          You will get emails once someone invites you to one.
        </EmptyState>
      ) : null}
    </SettingsPage>
  );
}

function OrganizationSettings({
  organization: { slug, name, settings, projects },
  everywhere,
}: {
  organization: NotificationSettings['organizations'][number];
  everywhere: NotificationSettings['everywhere'];
}) {
  const own = projects.filter(({ alerts }) => alerts !== null).length;
  const alertsHere = settings.alerts ?? everywhere.alerts;
  return (
    <Card flush id={`organization-${slug}`} title={<bdi>{name}</bdi>}>
      <ul className="divide-y">
        {NOTIFICATION_KINDS.map((kind) => (
          <li key={kind} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-2">
            <span className="text-sm">{NOTIFICATION_WORDS[kind].name}</span>
            <SettingSelect
              label={`${NOTIFICATION_WORDS[kind].name} of ${name}`}
              place={{ kind, organizationSlug: slug, projectSlug: null }}
              isOn={settings[kind]}
              wider={`Default: ${onOrOff(everywhere[kind])}`}
            />
          </li>
        ))}
      </ul>
      {projects.length > 0 ? (
        <details className="border-t px-4 py-2.5">
          <summary className="w-fit rounded-sm text-accent text-sm hover:underline">
            Alerts by project{own > 0 ? ` (${formatPlural(own, 'override')})` : ''}
          </summary>
          <ul className="mt-2 flex flex-col gap-1.5">
            {projects.map((project) => (
              <li key={project.slug} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
                <bdi className="break-anything min-w-0 text-sm">{project.name}</bdi>
                <SettingSelect
                  label={`Alerts of ${project.name}`}
                  place={{ kind: 'alerts', organizationSlug: slug, projectSlug: project.slug }}
                  isOn={project.alerts}
                  wider={`Same as ${name}: ${onOrOff(alertsHere)}`}
                />
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </Card>
  );
}

const onOrOff = (isOn: boolean): string => (isOn ? 'on' : 'off');
