'use client';

import { useEffect, useRef, useState, useTransition } from 'react';
import type { PrivacyProblem } from '#product/privacy/check-privacy.ts';
import type { PrivacyPreview } from '#product/privacy/preview-privacy-rules.ts';
import type { PrivacySettings } from '#protocol/ingest-settings.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Notice } from '#ui/notice.tsx';
import { showToast } from '#ui/toast.tsx';
import { type EditedPrivacy, fieldProblems, fromEdited, toEdited } from './edited-privacy.ts';
import { FieldList } from './field-list.tsx';
import { PreviewPanel } from './preview-panel.tsx';
import { type PrivacyOwner, previewPrivacyAction, savePrivacyAction } from './privacy-actions.ts';
import { PrivacySwitch } from './privacy-switch.tsx';
import { RuleTable } from './rule-table.tsx';

/** All settings of one owner, edited together: tried on a stored event when wanted, then saved as a whole. */
export function PrivacyForm({
  owner,
  privacy,
  inherited,
  canChange,
}: {
  owner: PrivacyOwner;
  privacy: PrivacySettings;
  /** Of a project: what its organization scrubs besides. null on the organization's own page. */
  inherited: PrivacySettings | null;
  canChange: boolean;
}) {
  const [edited, setEdited] = useState<EditedPrivacy>(() => toEdited(privacy));
  const [saved, setSaved] = useState(privacy);
  const [problems, setProblems] = useState<readonly PrivacyProblem[]>([]);
  const [failure, setFailure] = useState<string | null>(null);
  const [preview, setPreview] = useState<PrivacyPreview | null>(null);
  const [eventId, setEventId] = useState('');
  const [previewFailure, setPreviewFailure] = useState<string | null>(null);
  const [isSaving, startSaving] = useTransition();
  const [isTrying, startTrying] = useTransition();
  const rulesCard = useRef<HTMLDivElement>(null);
  const hasChanges = JSON.stringify(fromEdited(edited)) !== JSON.stringify(saved);

  useEffect(() => {
    if (!hasChanges) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [hasChanges]);

  function change(part: Partial<EditedPrivacy>) {
    setEdited((current) => ({ ...current, ...part }));
    // What was tried is not what stands here any more.
    setPreview(null);
    setPreviewFailure(null);
    setProblems([]);
  }

  function save() {
    startSaving(async () => {
      const result = await savePrivacyAction(owner, fromEdited(edited));
      setFailure(result.kind === 'failed' ? result.message : null);
      setProblems(result.kind === 'wrong' ? result.problems : []);
      if (result.kind !== 'saved') {
        if (result.kind === 'wrong' && result.problems.some(({ list }) => list === 'advancedRules')) {
          rulesCard.current?.scrollIntoView({ block: 'nearest' });
        }
        return;
      }
      setSaved(result.privacy);
      setEdited(toEdited(result.privacy));
      showToast({ title: 'Privacy settings saved', description: 'They apply to what arrives from now on.' });
    });
  }

  function tryOut() {
    startTrying(async () => {
      const result = await previewPrivacyAction(owner, fromEdited(edited), eventId);
      setPreviewFailure(result.kind === 'failed' ? result.message : null);
      setPreview(result.kind === 'tried' ? result.preview : null);
      setProblems(result.kind === 'tried' ? result.preview.problems : []);
    });
  }

  const count = problems.length;
  return (
    <div className="flex min-w-0 flex-col gap-5">
      <fieldset disabled={!canChange} className="flex min-w-0 flex-col gap-5">
        <Card flush id="defaults" title="Default rules">
          <PrivacySwitch
            id="defaultRules"
            name="Scrub passwords, tokens, cards and keys"
            help="Empties fields with telling names (password, secret, token, api_key, authorization …) and session cookies, and takes credit card numbers, IBANs, US social security numbers, private keys, bearer tokens, passwords in addresses and user names in paths out of texts."
            isOn={edited.defaultRules}
            inherited={inherited?.defaultRules ?? false}
            onChange={(defaultRules) => change({ defaultRules })}
          />
          <PrivacySwitch
            id="scrubIpAddresses"
            name="Do not store IP addresses"
            help="Empties the user's and the sender's address, and replaces addresses in texts by [ip]. What city an address belongs to is found out before."
            isOn={edited.scrubIpAddresses}
            inherited={inherited?.scrubIpAddresses ?? false}
            onChange={(scrubIpAddresses) => change({ scrubIpAddresses })}
          />
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
              hint="One name a line. Every field whose name contains it is emptied, and every text that mentions it."
            />
            <FieldList
              id="safeFields"
              label="Safe fields"
              value={edited.safeFields}
              onChange={(safeFields) => change({ safeFields })}
              problems={fieldProblems(problems, 'safeFields', edited.safeFields)}
              placeholder={'author\nextra.credentials.**'}
              hint="One name or selector a line. The default rules and the sensitive fields leave these alone; advanced rules do not."
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
          <div className="flex flex-wrap items-center gap-3">
            <Button variant="primary" disabled={isSaving || !hasChanges} onClick={save}>
              {isSaving ? 'Saving…' : 'Save privacy settings'}
            </Button>
            <p aria-live="polite" className={count > 0 ? 'text-danger text-xs' : 'text-text-muted text-xs'}>
              {count > 0
                ? `Not saved: ${count === 1 ? 'something needs' : `${count} things need`} a correction.`
                : hasChanges
                  ? 'Not saved yet.'
                  : 'Nothing to save.'}
            </p>
          </div>
        </>
      ) : null}
    </div>
  );
}
