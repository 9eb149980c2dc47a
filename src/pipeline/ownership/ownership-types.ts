import type { OwnerReference } from '#protocol/ownership.ts';

/** What a rule looks at. */
export type OwnershipMatcherType = 'path' | 'module' | 'url' | 'codeowners' | `tags.${string}`;

export type OwnershipRule = {
  /** Which text it stands in. */
  source: 'rules' | 'codeowners';
  /** 1-based. */
  line: number;
  /** As written, trimmed. */
  text: string;
  type: OwnershipMatcherType;
  pattern: string;
  /** In the order in which they are named. Empty: what matches belongs to nobody. */
  owners: readonly OwnerReference[];
};

/** What is wrong with a line; it is left out. `line` and `column` are 1-based. */
export type OwnershipProblem = { line: number; column: number; message: string };

export type ParsedOwnership = {
  rules: readonly OwnershipRule[];
  problems: readonly OwnershipProblem[];
};

export const OWNERSHIP_TEXT_CHARACTERS_MAX = 100_000;
/** Of each text. */
export const OWNERSHIP_RULES_MAX = 2_000;
export const OWNERS_PER_RULE_MAX = 50;

export const isEmailLike = (text: string): boolean => /^[^@\s]+@[^@\s]+$/.test(text);
