import type { PrivacyProblem } from '#product/privacy/check-privacy.ts';
import type { AdvancedRule, BodyPolicy, PrivacySettings } from '#protocol/ingest-settings.ts';

/** An advanced rule in the form: the key stays with it when it moves. */
export type EditedRule = AdvancedRule & { key: number };

/** The settings while they are edited; lists are text. */
export type EditedPrivacy = {
  defaultRules: boolean;
  scrubIpAddresses: boolean;
  sensitiveFields: string;
  safeFields: string;
  rules: readonly EditedRule[];
  textAttachments: BodyPolicy;
  recordings: BodyPolicy;
};

export const toEdited = (privacy: PrivacySettings): EditedPrivacy => ({
  defaultRules: privacy.defaultRules,
  scrubIpAddresses: privacy.scrubIpAddresses,
  sensitiveFields: privacy.sensitiveFields.join('\n'),
  safeFields: privacy.safeFields.join('\n'),
  rules: privacy.advancedRules.map((rule, key) => ({ ...rule, key })),
  textAttachments: privacy.textAttachments,
  recordings: privacy.recordings,
});

export const fromEdited = (edited: EditedPrivacy): PrivacySettings => ({
  defaultRules: edited.defaultRules,
  scrubIpAddresses: edited.scrubIpAddresses,
  sensitiveFields: linesOf(edited.sensitiveFields),
  safeFields: linesOf(edited.safeFields),
  advancedRules: edited.rules.map(({ key: _, ...rule }) => rule),
  textAttachments: edited.textAttachments,
  recordings: edited.recordings,
});

/** Moves a rule; returns the same list when the target is out of range. */
export function moveRule(rules: readonly EditedRule[], from: number, to: number): readonly EditedRule[] {
  const rule = rules[from];
  if (!rule || to < 0 || to >= rules.length) return rules;
  const moved = rules.filter((_, index) => index !== from);
  moved.splice(to, 0, rule);
  return moved;
}

/** The same lines as the server counts them: without blank and repeated ones. */
export const linesOf = (text: string): string[] => [
  ...new Set(
    text
      .split(/\r\n|\r|\n/)
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
];

/** Problems of one list, as sentences that name the line. */
export const fieldProblems = (
  problems: readonly PrivacyProblem[],
  list: 'sensitiveFields' | 'safeFields',
  text: string,
): readonly string[] =>
  problems
    .filter((problem) => problem.list === list)
    .map(({ index, position, message }) => {
      const line = linesOf(text)[index];
      const place = position === null ? '' : `, at character ${position + 1}`;
      return line === undefined ? `${message}.` : `“${line.slice(0, 60)}”${place}: ${message}.`;
    });
