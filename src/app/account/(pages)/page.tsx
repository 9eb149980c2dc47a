import type { Metadata } from 'next';
import { cookies } from 'next/headers';
import { getSelf } from '#app/account/own-account.ts';
import { valuesOf } from '#app/forms/fields.ts';
import { FieldsForm } from '#app/forms/fields-form.tsx';
import { THEME_COOKIE } from '#app/request-names.ts';
import { Avatar } from '#ui/avatar.tsx';
import { Card } from '#ui/card.tsx';
import { SettingsPage } from '#ui/page-header.tsx';
import { renameAction } from './actions.ts';
import { PROFILE_FIELDS } from './profile-fields.ts';
import { EmailForm, ThemeChoice } from './profile-forms.tsx';

export const metadata: Metadata = { title: 'Profile' };

export default async function ProfilePage() {
  const { stores, session } = await getSelf();
  const profile = await stores.accounts.findProfile(session.userId);
  const theme = (await cookies()).get(THEME_COOKIE)?.value;
  return (
    <SettingsPage title="Profile" description="How others see you, and how you sign in.">
      <Card id="profile-name" title="Name">
        <div className="flex items-start gap-4">
          <Avatar name={session.name} className="size-12 text-lg!" />
          <div className="min-w-0 flex-1">
            <FieldsForm
              fields={PROFILE_FIELDS}
              values={valuesOf(PROFILE_FIELDS, session)}
              save={{ action: renameAction, label: 'Save name', doneTitle: 'Name saved.' }}
            />
          </div>
        </div>
      </Card>
      <Card id="profile-email" title="Email address">
        <EmailForm
          email={session.email}
          isTrusted={profile?.isEmailTrusted ?? true}
          asksPassword={profile?.hasPassword ?? true}
        />
      </Card>
      <Card id="profile-theme" title="Theme">
        <ThemeChoice theme={theme === 'light' || theme === 'dark' ? theme : 'system'} />
      </Card>
    </SettingsPage>
  );
}
