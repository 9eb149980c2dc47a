import { fieldForEach, fields } from '#app/forms/fields.ts';
import { DETECTORS } from '#product/performance-issues/detector-catalogue.ts';
import { PERFORMANCE_ISSUE_NAMES, PERFORMANCE_ISSUE_TYPES } from '#protocol/performance-issue.ts';

export const DETECTOR_FIELDS = fields({
  isEnabled: {
    kind: 'switch',
    label: 'Detect performance issues',
    help: 'Looks for the problems below in the spans of each transaction. What it finds becomes an issue in the same list as errors.',
  },
  ...fieldForEach(PERFORMANCE_ISSUE_TYPES, (type) => ({
    kind: 'switch' as const,
    label: PERFORMANCE_ISSUE_NAMES[type],
    help: DETECTORS.find((detector) => detector.type === type)?.help ?? '',
  })),
});
