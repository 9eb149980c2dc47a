'use client';

import { SettingsForm } from '#app/[org]/settings/settings-form.tsx';
import { SwitchRow } from '#app/[org]/settings/switch-row.tsx';
import { useSettingsForm } from '#app/[org]/settings/use-settings-form.ts';
import type { OwnershipCheck } from '#product/ownership/check-ownership.ts';
import type { Ownership } from '#storage/ports/ownership.ts';
import { Card } from '#ui/card.tsx';
import { TextField } from '#ui/field.tsx';
import { saveOwnershipAction } from './ownership-actions.ts';
import { RulesArea } from './rules-area.tsx';

/** Who owns what, in one form: all of it is saved or nothing, and what was typed stays. */
export function OwnershipForm({
  orgSlug,
  projectSlug,
  ownership,
  version,
  check,
  canChange,
}: {
  orgSlug: string;
  projectSlug: string;
  ownership: Ownership;
  version: number;
  /** Of what is stored: people and teams may have gone since. */
  check: OwnershipCheck;
  canChange: boolean;
}) {
  const form = useSettingsForm(
    saveOwnershipAction.bind(null, orgSlug, projectSlug),
    { check: null, error: null, version, savedAt: null },
    'Ownership rules saved',
  );
  const answered = form.state.check;
  const shown = answered ?? check;
  const count = answered === null ? 0 : answered.rules.length + answered.codeowners.length;
  return (
    <SettingsForm
      form={form}
      canChange={canChange}
      submitLabel="Save ownership rules"
      problems={{ count, noun: 'line' }}
      className="gap-5"
    >
      <Card id="ownership-rules" title="Ownership rules">
        <RulesArea
          name="rules"
          label="Rules, one a line"
          placeholder={'path:src/checkout/* #payments\nurl:https://shop.example/admin/* ana@example.com'}
          defaultValue={ownership.rules}
          problems={shown.rules}
          help={
            <>
              <code className="mono">path:</code> (the file of a call; may be left out),{' '}
              <code className="mono">module:</code>, <code className="mono">url:</code>,{' '}
              <code className="mono">tags.name:</code> or <code className="mono">codeowners:</code> with a
              pattern, then owners: e-mail addresses and <code className="mono">#team</code>. The last line
              that fits counts most; one without owners belongs to nobody.
            </>
          }
        />
      </Card>
      <Card id="codeowners-file" title="CODEOWNERS">
        <div className="flex flex-col gap-4">
          <RulesArea
            name="codeowners"
            label="The file of your repository, pasted"
            placeholder={'/src/checkout/ @acme/payments\n*.css @ana'}
            defaultValue={ownership.codeowners}
            problems={shown.codeowners}
            hints={shown.unknownCodeowners}
            help="Counts where no ownership rule fits. @acme/payments is the team #payments; @ana is whoever’s address begins with ana@, or who is called so. Owners who are not here are passed over."
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField
              name="stackRoot"
              label="Stack trace root"
              hint="What paths of your stack traces begin with."
              placeholder="app:///dist/"
              defaultValue={ownership.stackRoot}
              maxLength={500}
            />
            <TextField
              name="sourceRoot"
              label="Source root"
              hint="What the repository has in its place."
              placeholder="src/"
              defaultValue={ownership.sourceRoot}
              maxLength={500}
            />
          </div>
        </div>
      </Card>
      <Card id="auto-assign" title="Assignment">
        <SwitchRow
          id="autoAssign"
          label="Assign new issues to their owner"
          help="New and regressed issues that belong to nobody go to the first owner of the rule that counts most. Otherwise owners are only suggested on the page of an issue."
          defaultChecked={ownership.autoAssign}
        />
      </Card>
    </SettingsForm>
  );
}
