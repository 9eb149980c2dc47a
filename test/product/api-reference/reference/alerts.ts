import { z } from 'zod';
import { alertRule, metricAlertRule } from './alert-shapes.ts';
import type { ReferenceOperation } from './reference-operation.ts';

export const ALERTS: Readonly<Record<string, ReferenceOperation>> = {
  'GET organizations/{org}/alert-rules/': { statuses: [200], answer: z.array(metricAlertRule) },
  'POST organizations/{org}/alert-rules/': { statuses: [201], answer: metricAlertRule },
  'DELETE organizations/{org}/alert-rules/{alert_rule}/': { statuses: [202], answer: null },
  'GET organizations/{org}/alert-rules/{alert_rule}/': { statuses: [200], answer: metricAlertRule },
  'PUT organizations/{org}/alert-rules/{alert_rule}/': { statuses: [200], answer: metricAlertRule },
  'GET projects/{org}/{project}/rules/': { statuses: [200], answer: z.array(alertRule) },
  'POST projects/{org}/{project}/rules/': { statuses: [201], answer: alertRule },
  'DELETE projects/{org}/{project}/rules/{rule}/': { statuses: [202], answer: null },
  'GET projects/{org}/{project}/rules/{rule}/': { statuses: [200], answer: alertRule },
  'PUT projects/{org}/{project}/rules/{rule}/': { statuses: [200], answer: alertRule },
};
