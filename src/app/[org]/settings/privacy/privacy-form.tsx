'use client';

import { useRef, useState, useTransition } from 'react';
import { describeProblems } from '#app/forms/form-frame.tsx';
import { SaveRow } from '#app/forms/save-row.tsx';
import type { PrivacyProblem } from '#product/privacy/check-privacy.ts';
import type { PrivacyPreview } from '#product/privacy/preview-privacy-rules.ts';
import type { PrivacySettings } from '#protocol/ingest-settings.ts';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { CheckboxField } from '#ui/checkbox.tsx';
import { Notice } from '#ui/notice.tsx';
import { previewPrivacyAction, savePrivacyAction } from './actions.ts';
import { type EditedPrivacy, fieldProblems, fromEdited, toEdited } from './edited-privacy.ts';
import { PreviewPanel } from './preview-panel.tsx';
import { FieldList, FilePolicy } from './privacy-fields.tsx';
import { RuleTable } from './rule-table.tsx';

/** Edits, previews and saves all privacy settings of an organization or a project. */
export function PrivacyForm({
  owner,
  privacy,
  inherited,
  canChange,
}: {
  owner: { orgSlug: string; projectSlug: string | null };
  privacy: PrivacySettings;
  /** Of a project: what its organization scrubs besides. null on the organization's own page. */
  inherited: PrivacySettings | null;
  canChange: boolean;
}) {
  const [edited, setEdited] = useState<EditedPrivacy>(() => toEdited(privacy));
  const [saved, setSaved] = useState(privacy);
  const [isSaved, setIsSaved] = useState(false);
  const [problems, setProblems] = useState<readonly PrivacyProblem[]>([]);
  const [failure, setFailure] = useState<string | null>(null);
  const [preview, setPreview] = useState<PrivacyPreview | null>(null);
  const [eventId, setEventId] = useState('');
  const [previewFailure, setPreviewFailure] = useState<string | null>(null);
  const [isSaving, startSaving] = useTransition();
  const [isTrying, startTrying] = useTransition();
  const rulesCard = useRef<HTMLDivElement>(null);
  const hasChanges = JSON.stringify(fromEdited(edited)) !== JSON.stringify(saved);

  function change(part: Partial<EditedPrivacy>) {
    setEdited((current) => ({ ...current, ...part }));
    // What was tried is not what stands here any more.
    setPreview(null);
    setPreviewFailure(null);
    setProblems([]);
  }

  function save() {
    startSaving(async () => {
      const { orgSlug, projectSlug } = owner;
      const answer = await savePrivacyAction(orgSlug, { projectSlug, privacy: fromEdited(edited) });
      setFailure(answer.ok ? null : `${answer.message}.`);
      if (!answer.ok) return;
      const { privacy, problems: found } = answer.value;
      setProblems(found ?? []);
      if (found !== null) {
        if (found.some(({ list }) => list === 'advancedRules')) {
          rulesCard.current?.scrollIntoView({ block: 'nearest' });
        }
        return;
      }
      setSaved(privacy);
      setEdited(toEdited(privacy));
      setIsSaved(true);
    });
  }

  function tryOut() {
    startTrying(async () => {
      const { orgSlug, projectSlug } = owner;
      const privacy = fromEdited(edited);
      const answer = await previewPrivacyAction(orgSlug, { projectSlug, privacy, eventId });
      setPreviewFailure(answer.ok ? null : `${answer.message}.`);
      setPreview(answer.ok ? answer.value : null);
      setProblems(answer.ok ? answer.value.problems : []);
    });
  }

  return (
    <div className="flex min-w-0 flex-col gap-5">
      <fieldset disabled={!canChange} className="flex min-w-0 flex-col gap-5">
        <Card flush id="defaults" title="Default rules">
          <CheckboxField
            id="defaultRules"
            label="Scrub passwords, tokens, cards and keys"
            help="Clears sensitive fields (password, secret, token, api_key, authorization …) and session cookies. Replaces credit card numbers, IBANs, US social security numbers, private keys, JSON web tokens, bearer tokens, API keys of well-known services, passwords in URLs and usernames in paths wherever they appear in text."
            checked={edited.defaultRules}
            badge={inherited?.defaultRules ? <Badge tone="info">on for the whole organization</Badge> : null}
            onChange={(event) => change({ defaultRules: event.target.checked })}
            className="border-b px-4 py-3 last:border-b-0"
          />
          <CheckboxField
            id="scrubIpAddresses"
            label="Do not store IP addresses"
            help="Clears the IP addresses of the user and the sender, and replaces IP addresses in text with [ip]. The city is looked up before the address is removed."
            checked={edited.scrubIpAddresses}
            badge={
              inherited?.scrubIpAddresses ? <Badge tone="info">on for the whole organization</Badge> : null
            }
            onChange={(event) => change({ scrubIpAddresses: event.target.checked })}
            className="border-b px-4 py-3 last:border-b-0"
          />
        </Card>
        <Card id="files" title="Files">
          <div className="grid gap-5 sm:grid-cols-2">
            <FilePolicy
              id="textAttachments"
              label="Text attachments"
              hint="Logs, JSON and other text files. Images, minidumps and archives can't be scrubbed and are stored as sent."
              value={edited.textAttachments}
              inherited={inherited?.textAttachments ?? null}
              onChange={(textAttachments) => change({ textAttachments })}
            />
            <FilePolicy
              id="recordings"
              label="Replay recordings"
              hint="Scrubbing covers recorded text, addresses and network requests. Videos of mobile replays are stored as sent."
              value={edited.recordings}
              inherited={inherited?.recordings ?? null}
              onChange={(recordings) => change({ recordings })}
            />
          </div>
        </Card>
        <Card id="fields" title="Fields">
          <div className="grid gap-5 sm:grid-cols-2">
            <FieldList
              id="sensitiveFields"
              label="Sensitive fields"
              value={edited.sensitiveFields}
              onChange={(sensitiveFields) => change({ sensitiveFields })}
              problems={fieldProblems(problems, 'sensitiveFields', edited.sensitiveFields)}
              placeholder={'customer_number\nbirth_date'}
              hint="One name per line. Fields whose name contains it are cleared, and so is text that mentions it."
            />
            <FieldList
              id="safeFields"
              label="Safe fields"
              value={edited.safeFields}
              onChange={(safeFields) => change({ safeFields })}
              problems={fieldProblems(problems, 'safeFields', edited.safeFields)}
              placeholder={'author\nextra.credentials.**'}
              hint="One name or selector per line. Default rules and sensitive fields do not apply to these; advanced rules do."
            />
          </div>
        </Card>
        <div ref={rulesCard} className="scroll-mt-16">
          <RuleTable
            rules={edited.rules}
            onChange={(rules) => change({ rules })}
            problems={problems.filter(({ list }) => list === 'advancedRules')}
            hits={preview?.event ? preview.hits : null}
            canChange={canChange}
          />
        </div>
      </fieldset>
      {canChange ? (
        <>
          <PreviewPanel
            owner={owner}
            eventId={eventId}
            onEventIdChange={setEventId}
            onTry={tryOut}
            isTrying={isTrying}
            preview={preview}
            failure={previewFailure}
          />
          {failure ? (
            <Notice tone="danger" title="Not saved">
              {failure}
            </Notice>
          ) : null}
          <SaveRow
            label="Save privacy settings"
            isPending={isSaving}
            isChanged={hasChanges}
            failure={failure ? 'Not saved.' : describeProblems(problems.length, 'line')}
            saved={isSaved ? 'Privacy settings saved. They apply to new events.' : null}
            onSave={save}
          />
        </>
      ) : null}
    </div>
  );
}
