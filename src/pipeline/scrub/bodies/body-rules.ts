import type { Plan } from '../compile-plan.ts';
import { leaf, type Sweep } from '../schema-node.ts';
import { ScrubWalk } from '../scrub-walk.ts';
import type { KeyVerdict } from '../sensitive-keys.ts';
import { VALUE_TYPE } from '../value-types.ts';

/** Scrubs a text that comes in pieces; what comes out may lag behind. */
export interface TextScrubber {
  /** Whether anything was hidden so far. */
  readonly isChanged: boolean;
  push(text: string): string;
  end(): string;
}

export type BodyKind = 'attachment' | 'recording' | 'profile';

/** The rules of a project for the texts of one body; what its expressions may cost is counted over all of them. */
export type BodyRules = {
  plan: Plan;
  judge(name: string): KeyVerdict;
  /** Answers the text, or what stands in for it; `name` is what selectors know it by. */
  scrub(name: string, text: string): string;
};

/** What is put together of fonts and pictures: chance finds anything in it, and nobody reads it. */
const EMBEDDED_FILE = /^data:[\w.+-]{1,64}\/[\w.+-]{1,64};base64,/;

export const isEmbeddedFile = (text: string): boolean => text.startsWith('data:') && EMBEDDED_FILE.test(text);

const SWEEPS: Readonly<Record<BodyKind, Sweep>> = {
  attachment: 'file',
  recording: 'quiet',
  profile: 'secrets',
};
const TYPES: Readonly<Record<BodyKind, number>> = {
  attachment: VALUE_TYPE.attachments,
  recording: VALUE_TYPE.replay,
  profile: VALUE_TYPE.profile,
};

export function bodyRules(plan: Plan, kind: BodyKind): BodyRules {
  const walk = new ScrubWalk(plan);
  const node = leaf(SWEEPS[kind], { empty: 'text' });
  return {
    plan,
    judge: (name) => plan.keys.judge(name),
    scrub(name, text) {
      if (isEmbeddedFile(text)) return text;
      const scrubbed = walk.walkField(name, text, node, TYPES[kind]);
      return typeof scrubbed === 'string' ? scrubbed : '';
    },
  };
}
