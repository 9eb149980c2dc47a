'use client';

import { useState } from 'react';
import { saveOwnershipAction } from '#app/[org]/settings/projects/[project]/project-actions.ts';
import { OWNERSHIP_FIELDS } from '#app/[org]/settings/projects/[project]/project-fields.ts';
import { FieldInputs } from '#app/forms/fields-form.tsx';
import { FormFrame, useForm } from '#app/forms/form-frame.tsx';
import { LinesField } from '#app/forms/lines-field.tsx';
import type { OwnershipCheck } from '#product/ownership/ownership.ts';
import type { Ownership } from '#product/ownership/ownership-store.ts';
import { Card } from '#ui/card.tsx';

const RULES_FIELD = { problemsMax: 20, wrap: 'off', rows: [6, 24] } as const;

/** Saves everything or nothing, and keeps what was typed. */
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
  // What somebody else saves meanwhile must not count as seen.
  const [shownVersion] = useState(version);
  const form = useForm(saveOwnershipAction.bind(null, orgSlug, { projectSlug, version: shownVersion }));
  const answered = form.state.result?.check ?? null;
  const shown = answered ?? check;
  const count = answered === null ? 0 : answered.rules.length + answered.codeowners.length;
  return (
    <FormFrame
      form={form}
      canChange={canChange}
      submitLabel="Save ownership rules"
      savedTitle="Ownership rules saved"
      problems={{ count, noun: 'line' }}
      className="gap-5"
    >
      <Card id="ownership-rules" title="Ownership rules">
        <LinesField
          {...RULES_FIELD}
          id="rules"
          name="rules"
          label="Rules, one per line"
          placeholder={'path:src/checkout/* #payments\nurl:https://shop.example/admin/* ana@example.com'}
          defaultValue={ownership.rules}
          problems={shown.rules}
          help={
            <>
              <code className="mono">path:</code> (file path; the default),{' '}
              <code className="mono">module:</code>, <code className="mono">url:</code>,{' '}
              <code className="mono">tags.name:</code> or <code className="mono">codeowners:</code> with a
              pattern, then owners: email addresses and <code className="mono">#team</code>. The last matching
              line wins; a line without owners means no owner.
            </>
          }
        />
      </Card>
      <Card id="codeowners-file" title="CODEOWNERS">
        <div className="flex flex-col gap-4">
          <LinesField
            {...RULES_FIELD}
            id="codeowners"
            name="codeowners"
            label="Contents of the CODEOWNERS file in your repository"
            placeholder={'/src/checkout/ @acme/payments\n*.css @ana'}
            defaultValue={ownership.codeowners}
            problems={shown.codeowners}
            warnings={shown.unknownCodeowners}
            help="Used when no ownership rule matches. @acme/payments is the team #payments; @ana is the member whose email starts with ana@ or whose name is ana. Unknown owners are ignored."
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <FieldInputs
              fields={{
                stackRoot: OWNERSHIP_FIELDS.stackRoot,
                sourceRoot: OWNERSHIP_FIELDS.sourceRoot,
              }}
              values={{ stackRoot: ownership.stackRoot, sourceRoot: ownership.sourceRoot }}
              state={form.state}
            />
          </div>
        </div>
      </Card>
      <Card id="auto-assign" title="Assignment">
        <FieldInputs
          fields={{ autoAssign: OWNERSHIP_FIELDS.autoAssign }}
          values={{ autoAssign: ownership.autoAssign }}
          state={form.state}
        />
      </Card>
    </FormFrame>
  );
}
