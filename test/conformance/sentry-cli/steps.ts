import { ACCOUNT_STEPS } from './account-steps.ts';
import type { CliStep } from './cli-step.ts';
import { EVENT_STEPS } from './event-steps.ts';
import { RELEASE_DELETE_STEPS, RELEASE_STEPS } from './release-steps.ts';
import type { CliMajor } from './sentry-cli.ts';
import { UPLOAD_STEPS } from './upload-steps.ts';

const ALL: readonly CliStep[] = [
  ...ACCOUNT_STEPS,
  ...RELEASE_STEPS,
  ...UPLOAD_STEPS,
  ...EVENT_STEPS,
  ...RELEASE_DELETE_STEPS,
];

/** In their order: later ones need what earlier ones left. */
export const stepsOf = (major: CliMajor): readonly CliStep[] => ALL.filter(({ of }) => of.includes(major));
