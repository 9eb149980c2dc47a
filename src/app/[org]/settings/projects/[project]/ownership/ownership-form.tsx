'use client';

import { type FormEvent, startTransition, useActionState, useEffect, useRef } from 'react';
import type { OwnershipCheck } from '#product/ownership/check-ownership.ts';
import type { Ownership } from '#storage/ports/ownership.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { TextField } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { showToast } from '#ui/toast.tsx';
import { useFocusFirstInvalid } from '#ui/use-focus-first-invalid.ts';
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
  const [state, save, isPending] = useActionState(saveOwnershipAction.bind(null, orgSlug, projectSlug), {
    check: null,
    error: null,
    version,
    savedAt: null,
  });
  useEffect(() => {
    if (state.savedAt !== null) showToast({ title: 'Ownership rules saved' });
  }, [state.savedAt]);
  const form = useRef<HTMLFormElement>(null);
  useFocusFirstInvalid(form, state);

  function submit(event: FormEvent<HTMLFormElement>) {
    // The framework would empty the form after the action.
    event.preventDefault();
    const sent = new FormData(event.currentTarget);
    startTransition(() => save(sent));
  }

  const shown = state.check ?? check;
  const problems = shown.rules.length + shown.codeowners.length;
  return (
    <form ref={form} action={save} onSubmit={submit}>
      <fieldset disabled={!canChange} className="flex min-w-0 flex-col gap-5">
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
          <div className="flex items-start gap-3">
            <Checkbox
              id="autoAssign"
              name="autoAssign"
              defaultChecked={ownership.autoAssign}
              aria-describedby="autoAssign-help"
              className="mt-0.5"
            />
            <div>
              <label htmlFor="autoAssign" className="font-medium text-sm">
                Assign new issues to their owner
              </label>
              <p id="autoAssign-help" className="max-w-[75ch] text-text-muted text-xs">
                New and regressed issues that belong to nobody go to the first owner of the rule that counts
                most. Otherwise owners are only suggested on the page of an issue.
              </p>
            </div>
          </div>
        </Card>
        {state.error ? (
          <Notice tone="danger" title="Not saved">
            {state.error}
          </Notice>
        ) : null}
        {canChange ? (
          <div className="flex flex-wrap items-center gap-3">
            <Button type="submit" variant="primary" disabled={isPending}>
              {isPending ? 'Saving…' : 'Save ownership rules'}
            </Button>
            <p aria-live="polite" className="text-danger text-xs">
              {state.check !== null && problems > 0 && !isPending
                ? `Not saved: ${problems === 1 ? 'a line needs' : `${problems} lines need`} a correction.`
                : ''}
            </p>
          </div>
        ) : null}
      </fieldset>
    </form>
  );
}
